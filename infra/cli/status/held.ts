import { messageOf } from "../../../shared/errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { openCluster } from "../cluster.ts";
import { type Held, heldAmong, knownObjects } from "../install/left-behind.ts";
import type { RunFile } from "../state-directory.ts";
import { type Paused, pausedAmong, pausedFunctionsIn } from "./paused.ts";

/** Objects whose deletion nobody would end, and what is paused; or why that could not be told. */
export interface HeldFound {
  /** Undefined where the API server was not reached. */
  readonly held: readonly Held[] | undefined;
  /** Undefined where the API server was not reached. */
  readonly paused: Paused | undefined;
  readonly unreached: string | undefined;
}

/** Asks the API server that `dev` runs with or ran with. */
export async function heldIn(run: RunFile): Promise<HeldFound> {
  try {
    const { client } = openCluster({ kubeconfig: run.kubeconfig, context: run.context });
    try {
      return await heldThrough(client, run);
    } finally {
      client.close();
    }
  } catch (thrown) {
    return { held: undefined, paused: undefined, unreached: messageOf(thrown) };
  }
}

/** Asks an API server. */
export async function heldThrough(
  client: KubeClient,
  { kinds, functions, home }: Pick<RunFile, "kinds" | "functions"> & { readonly home?: string | undefined },
): Promise<HeldFound> {
  const [all, paused] = await Promise.all([knownObjects(client, kinds), pausedFunctionsIn(client, home)]);
  return {
    held: heldAmong(all, functions, functions),
    paused: { functions: paused, objects: pausedAmong(all.map(({ object }) => object)) },
    unreached: undefined,
  };
}

/** The held objects as data for scripts. */
export const listHeld = (held: readonly Held[] | undefined) =>
  held?.map(({ object, finalizers }) => ({
    kind: object.kind,
    namespace: object.metadata.namespace,
    name: object.metadata.name,
    finalizers,
  }));

/** The held objects as lines for people; none where nothing is held. */
export const heldLines = (held: readonly Held[] = []): readonly string[] =>
  held.length === 0
    ? []
    : [
        "",
        "Finalizers that nobody serves (`reveille uninstall` releases them):",
        ...held.map(
          ({ object, finalizers }) =>
            `  ${finalizers.join(", ")} on ${object.kind} ${object.metadata.namespace ?? ""}/${object.metadata.name}`,
        ),
      ];
