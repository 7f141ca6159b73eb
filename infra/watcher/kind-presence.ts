import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";

/** Built-in kinds (`apps`, `batch`, and those below k8s.io) come without a CRD and do not vanish. */
export const isCustom = ({ group }: Pick<WatchedKind, "group">): boolean =>
  group.includes(".") && !group.endsWith(".k8s.io");

/**
 * Looks whether the kind's CRD is there. `gone`: it is not, or it is being deleted, which deletes every object.
 * `unknown`: this user may not read CRDs, or the kind needs none.
 */
export async function kindIsGone(
  client: KubeClient,
  watched: WatchedKind,
  signal: AbortSignal,
): Promise<"gone" | "present" | "unknown"> {
  if (!isCustom(watched)) return "unknown";
  const name = `${watched.plural}.${watched.group}`;
  try {
    const crd = (await client.raw("GET", `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, {
      signal,
    })) as KubeObject;
    return crd.metadata.deletionTimestamp === undefined ? "present" : "gone";
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    if (error.kind === "missing") return "gone";
    if (error.kind === "forbidden" || error.kind === "kindMissing") return "unknown";
    throw error;
  }
}
