import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import { timeOf } from "../../../shared/function/index.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { type Log, silent } from "../../../shared/log/log.ts";
import {
  type OperatorStatus,
  report,
  type StatusEndpoint,
  StatusError,
  writeStatus,
} from "../../../shared/status/index.ts";
import { Reflector } from "../../reflector/reflector.ts";
import { WorkQueue } from "../../reflector/work-queue.ts";
import { type Deployment, RESOURCES } from "../objects.ts";
import { operatorOf, reportOf } from "./report.ts";

const FIELD_MANAGER = "reveille-simulator";
const CLUSTER_OPERATORS: Resource = {
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterOperator",
  plural: "clusteroperators",
  scope: "Cluster",
};

type Board = KubeObject & { readonly status?: OperatorStatus };

/** Operators that somebody plays. */
export interface Operators {
  /** Resolves when nothing is left to report at this moment. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Plays the operators of a cluster: for each Deployment with the annotation `simulator.reveille.dev/operator` it reports how the
 * Deployment fares to the ClusterOperator of that name, through the status kit. It makes the ClusterOperator where there is
 * none, and puts right what others write to it. Resolves when it has seen all there is; the kind must be served.
 */
export async function startOperators(options: {
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly log?: Log;
}): Promise<Operators> {
  const { client, clock = systemClock, log = silent } = options;
  const deployments = new Map<string, Deployment>();
  const queue = new WorkQueue({
    clock,
    log,
    work: async (name) => {
      const deployment = deployments.get(name);
      if (deployment !== undefined) await tell(client, clock, name, deployment);
    },
  });
  const workloads = new Reflector<Deployment>({
    client,
    resource: RESOURCES.Deployment,
    clock,
    log,
    keep: (object) => object as Deployment,
    changed: (now) => {
      const name = operatorOf(now);
      if (name === undefined) return;
      deployments.set(name, now);
      queue.add(name);
    },
    deleted: (before) => {
      const name = operatorOf(before);
      // What a dead operator said last stays: nobody is left to take it back.
      if (name !== undefined && deployments.get(name)?.metadata.uid === before.metadata.uid)
        deployments.delete(name);
    },
  });
  const board = new Reflector<string>({
    client,
    resource: CLUSTER_OPERATORS,
    clock,
    log,
    keep: ({ metadata }) => metadata.name,
    changed: (name) => queue.add(name),
    deleted: (name) => queue.add(name),
  });
  await Promise.all([workloads.synced, board.synced]);
  return {
    idle: () => queue.idle(),
    stop: async () => {
      await Promise.all([workloads.stop(), board.stop(), queue.stop()]);
    },
  };
}

async function tell(client: KubeClient, clock: Clock, name: string, deployment: Deployment): Promise<void> {
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
