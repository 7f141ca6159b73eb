import { nullPathsOf } from "../kube/apply/null-paths.ts";
import type { KubeClient, Resource, WriteOptions } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";
import { orStale } from "./fencing.ts";
import { testsOf } from "./patch-operations.ts";

type Patch = (
  over: KubeObject,
  operations: readonly unknown[],
  paths: readonly string[],
) => Promise<KubeObject>;

/**
 * Applies; where the server refuses a map for becoming null, since every key of it is dropped, the map goes first by a patch, and it is
 * applied once more. Dying in between costs nothing: what the patch left is applied then.
 */
export async function pastNulls(
  live: KubeObject | undefined,
  send: (over: KubeObject | undefined) => Promise<KubeObject>,
  patch: Patch,
): Promise<KubeObject> {
  try {
    return await send(live);
  } catch (error) {
    const paths = live === undefined ? [] : nullPathsOf(error, live);
    if (live === undefined || paths.length === 0) throw error;
    const removals = paths.map((path) => ({ op: "remove", path }));
    return send(await patch(live, [...testsOf(live), ...removals], paths));
  }
}

/** The patch that takes the maps away. `emptied` is told what it led to. */
export const emptying =
  (
    client: Pick<KubeClient, "patch">,
    resource: Resource,
    options: WriteOptions,
    emptied: (object: KubeObject, paths: readonly string[]) => void,
  ): Patch =>
  async (over, operations, paths) => {
    const object = await orStale(client.patch(resource, over.metadata, "json", operations, options));
    emptied(object, paths);
    return object;
  };
