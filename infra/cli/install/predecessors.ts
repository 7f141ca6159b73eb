import type { System } from "../../../shared/function/system.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { CliError } from "../exit.ts";

const deployments: Resource = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  scope: "Namespaced",
};

/** Throws a `CliError` where the operator that one of the systems succeeds still runs: two of them would fight over every object. */
export async function refusePredecessors(client: KubeClient, systems: readonly System[]): Promise<void> {
  for (const system of systems)
    for (const { name, labelSelector, deployment: called } of system.predecessors) {
      const { items } = await client.list(deployments, { labelSelector });
      const running = items.find(
        ({ metadata, spec }) =>
          (called === undefined || metadata.name === called) &&
          (spec as { readonly replicas?: number } | undefined)?.replicas !== 0,
      );
      if (running === undefined) continue;
      const { name: deployment, namespace = "" } = running.metadata;
      throw new CliError(
        "CLI_PREDECESSOR_RUNS",
        `${name} runs in this cluster (Deployment ${namespace}/${deployment}), and two operators would fight over the objects of ${system.name}: stop it first with \`kubectl -n ${namespace} scale deployment/${deployment} --replicas=0\`, or leave the system out with --systems.`,
      );
    }
}
