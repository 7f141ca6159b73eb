import { CliError } from "../../../shared/function/command-errors.ts";
import type { System } from "../../../shared/function/system.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";

const apps = (kind: string, plural: string): Resource => ({
  group: "apps",
  version: "v1",
  kind,
  plural,
  scope: "Namespaced",
});
/** The workloads that operators run as: both are stopped by `kubectl scale`. */
const WORKLOADS = [apps("Deployment", "deployments"), apps("StatefulSet", "statefulsets")] as const;

/**
 * Throws a `CliError` where the operator that one of the systems succeeds still runs: two of them would fight over every object.
 * Returns the names of those that we may not look for everywhere: they may run where we cannot see them.
 */
export async function refusePredecessors(
  client: KubeClient,
  systems: readonly System[],
  namespace: string | undefined,
): Promise<readonly string[]> {
  const unseen: string[] = [];
  for (const system of systems)
    for (const { name, labelSelector, workload: called } of system.predecessors)
      for (const resource of WORKLOADS) {
        const everywhere = await listed(client, resource, labelSelector, undefined);
        if (everywhere === undefined) unseen.push(name);
        const found =
          everywhere ??
          (namespace === undefined ? undefined : await listed(client, resource, labelSelector, namespace));
        const running = found?.find(
          ({ metadata, spec }) =>
            (called === undefined || metadata.name === called) &&
            (spec as { readonly replicas?: number } | undefined)?.replicas !== 0,
        );
        if (running === undefined) continue;
        const { name: workload, namespace: place = "" } = running.metadata;
        throw new CliError(
          "CLI_PREDECESSOR_RUNS",
          `${name} runs in this cluster (${resource.kind} ${place}/${workload}), and two operators would fight over the objects of ${system.name}: stop it first with \`kubectl -n ${place} scale ${resource.kind.toLowerCase()}/${workload} --replicas=0\`, or leave the system out with --systems.`,
        );
      }
  return [...new Set(unseen)];
}

/** Undefined where we may not list them. */
async function listed(
  client: KubeClient,
  resource: Resource,
  labelSelector: string,
  namespace: string | undefined,
): Promise<readonly KubeObject[] | undefined> {
  try {
    return (await client.list(resource, { labelSelector, namespace })).items;
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "forbidden") return undefined;
    throw thrown;
  }
}
