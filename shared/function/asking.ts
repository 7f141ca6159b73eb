import type { Command } from "commander";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { type Kind, type Obj, resourceOf } from "../kube/kind.ts";
import { parseObject } from "../kube/read.ts";
import type { ClusterOptions, CommandTools, StateOption } from "./command.ts";
import { CliError } from "./command-errors.ts";

/** The flags of every command that asks a namespace of a cluster. */
export interface AskOptions extends ClusterOptions, StateOption {
  readonly namespace?: string;
}
/** Flags with the namespace that is meant. */
export type Placed<O extends AskOptions> = O & { readonly namespace: string };

/** A command about a namespace of a cluster. */
export const asking = (tools: CommandTools, name: string, description: string): Command =>
  tools
    .withCluster(tools.withState(tools.command(name, description)))
    .option("-n, --namespace <name>", "the namespace (default: that of the kubeconfig's context)");

/** Asks the cluster; without `-n` in the namespace of its context, which is known once the kubeconfig is read. */
export const askIn = <O extends AskOptions, T>(
  tools: CommandTools,
  given: O,
  use: (client: KubeClient, options: Placed<O>) => Promise<T>,
): Promise<T> =>
  tools.ask(given, (client, namespace) => use(client, { ...given, namespace: given.namespace ?? namespace }));

/**
 * Runs requests of a system's commands; a cluster without its kinds is told how it gets them.
 * @param missing the code of that error, the kind that people know, and the command that prints the CRDs
 */
export const askedOf =
  (missing: { readonly code: string; readonly kinds: string; readonly crds: string }) =>
  async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (thrown) {
      if (thrown instanceof KubeError && thrown.kind === "kindMissing")
        throw new CliError(
          missing.code,
          `This cluster knows no ${missing.kinds}: install the CRDs (\`${missing.crds} | kubectl apply --server-side -f -\`), or name another cluster with --kubeconfig or --context.`,
          { cause: thrown },
        );
      throw thrown;
    }
  };

/** All objects of a kind, of one namespace or of all, by namespace and name. */
export async function listAll<K extends Kind>(
  client: KubeClient,
  kind: K,
  namespace?: string,
): Promise<readonly Obj<K>[]> {
  const found: Obj<K>[] = [];
  for await (const { items, restarted } of client.pages(resourceOf(kind), { namespace })) {
    if (restarted === true) found.length = 0;
    found.push(...items.map((raw) => parseObject(kind, raw)));
  }
  const placeOf = ({ metadata }: Obj<K>): string => `${metadata.namespace ?? ""}/${metadata.name}`;
  return found.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}
