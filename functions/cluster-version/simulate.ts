import type { Clock } from "../../shared/clock/clock.ts";
import { timeOf } from "../../shared/function/index.ts";
import type { SystemSimulation } from "../../shared/function/simulation.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Deployment } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { ClusterOperator } from "./kinds/index.ts";
import { operatorOf, type PlayedDeployment, reportOf } from "./simulate/report.ts";
import {
  type OperatorStatus,
  report,
  type StatusEndpoint,
  StatusError,
  writeStatus,
} from "./status/index.ts";

const FIELD_MANAGER = "reveille-simulator";
const CLUSTER_OPERATORS = resourceOf(ClusterOperator);

type Board = KubeObject & { readonly status?: OperatorStatus };

/**
 * Plays the operators of a cluster: for each Deployment with the annotation `simulator.reveille.dev/operator` it reports how the
 * Deployment fares to the ClusterOperator of that name, through the status kit. It makes the ClusterOperator where there is
 * none, and puts right what others write to it.
 */
export const simulate: SystemSimulation = async ({ client, clock, follow, queue }) => {
  const deployments = new Map<string, PlayedDeployment>();
  const reports = queue(async (name) => {
    const deployment = deployments.get(name);
    if (deployment !== undefined) await tell(client, clock, name, deployment);
  });
  const workloads = follow<PlayedDeployment>({
    client,
    resource: resourceOf(Deployment),
    keep: (object) => object as PlayedDeployment,
    changed: (now) => {
      const name = operatorOf(now);
      if (name === undefined) return;
      deployments.set(name, now);
      reports.add(name);
    },
    deleted: (before) => {
      const name = operatorOf(before);
      // What a dead operator said last stays: nobody is left to take it back.
      if (name !== undefined && deployments.get(name)?.metadata.uid === before.metadata.uid)
        deployments.delete(name);
    },
  });
  const board = follow<string>({
    client,
    resource: CLUSTER_OPERATORS,
    keep: ({ metadata }) => metadata.name,
    changed: (name) => reports.add(name),
    deleted: (name) => reports.add(name),
  });
  await Promise.all([workloads.synced, board.synced]);
  return {
    idle: () => reports.idle(),
    stop: async () => {
      await Promise.all([workloads.stop(), board.stop(), reports.stop()]);
    },
  };
};

async function tell(
  client: KubeClient,
  clock: Clock,
  name: string,
  deployment: PlayedDeployment,
): Promise<void> {
  const endpoint: StatusEndpoint<Board> = {
    read: () => client.get(CLUSTER_OPERATORS, { name }) as Promise<Board | undefined>,
    create: () =>
      client.create(
        CLUSTER_OPERATORS,
        { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", metadata: { name }, spec: {} },
        { fieldManager: FIELD_MANAGER },
      ) as Promise<Board>,
    write: (object) =>
      client.replace(CLUSTER_OPERATORS, { name }, object, {
        fieldManager: FIELD_MANAGER,
        subresource: "status",
      }) as Promise<Board>,
  };
  try {
    await writeStatus(endpoint, ({ status }) =>
      report(status, reportOf(deployment, status), timeOf(clock.now())),
    );
  } catch (error) {
    // It was deleted meanwhile: that event brings us back.
    if (!(error instanceof StatusError && ["STATUS_GONE", "STATUS_RECREATED"].includes(error.code)))
      throw error;
  }
}
