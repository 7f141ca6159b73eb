import { messageOf } from "../../../shared/errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { openCluster } from "../cluster.ts";
import { type Held, heldObjects } from "../install/left-behind.ts";
import type { RunFile } from "../state-directory.ts";

/** Objects whose deletion nobody would end; or why that could not be told. */
export interface HeldFound {
  /** Undefined where the API server was not reached. */
  readonly held: readonly Held[] | undefined;
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
    return { held: undefined, unreached: messageOf(thrown) };
  }
}

/** Asks an API server. */
export const heldThrough = async (
  client: KubeClient,
  { kinds, functions }: Pick<RunFile, "kinds" | "functions">,
): Promise<HeldFound> => ({
  held: await heldObjects(client, kinds, functions, functions),
  unreached: undefined,
});

/** As data for scripts. */
export const listHeld = (held: readonly Held[] | undefined) =>
  held?.map(({ object, finalizers }) => ({
    kind: object.kind,
    namespace: object.metadata.namespace,
    name: object.metadata.name,
    finalizers,
  }));

/** As lines for people; none where nothing is held. */
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
