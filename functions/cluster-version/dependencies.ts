import { all, changed, type Duration } from "../../shared/function/index.ts";
import { payloads } from "../../shared/ports/payloads/index.ts";
import { configuration } from "./configuration.ts";
import { evaluateAll } from "./decide/coordination/evaluate.ts";
import { noOrder, orderOf } from "./decide/coordination/order.ts";
import { buildGraph, tasksOf } from "./decide/graph/index.ts";
import { lookUpPayload } from "./decide/payload/catalog.ts";
import { CLUSTER_VERSION } from "./decide/release/the-cluster-version.ts";
import { ClusterOperator } from "./kinds/cluster-operator.ts";
import { ClusterOperatorDependency } from "./kinds/cluster-operator-dependency.ts";
import { ClusterVersion } from "./kinds/cluster-version.ts";

/** Says of each dependency whether it can be met and whether it is: the watcher makes `dependency.ready` and `.lost` of it. */
export const clusterOperatorDependencies = all(ClusterOperatorDependency).function({
  name: "cluster-operator-dependencies",
  config: configuration,
  uses: [payloads],
  wakes: [
    changed(ClusterOperator).toEvery(),
    changed(ClusterVersion).toEvery({
      when: ({ name, desired, gone, was }) =>
        name === CLUSTER_VERSION && (gone || was?.desired?.image !== desired?.image),
    }),
  ],
  net: "10m",
  verbs: { ClusterOperatorDependency: ["list"], ClusterOperator: ["list"], ClusterVersion: ["get"] },
  observe: async ({ members, read, use, config }) => {
    if (members.length === 0) return { operators: [], order: noOrder };
    const [operators, version] = await Promise.all([
      read.list(ClusterOperator),
      read.get(ClusterVersion, { name: CLUSTER_VERSION }),
    ]);
    const image = version?.status?.desired.image ?? "";
    // A payload that cannot be read holds nobody up: what it would forbid is told once it can.
    const found = image === "" ? undefined : await lookUpPayload(use(payloads), image, config);
    const order =
      found?.state === "loaded" ? orderOf(buildGraph(tasksOf(found.payload.manifests), "Updating")) : noOrder;
    return { operators, order };
  },
  reconcile: ({ members, operators, order }, { now, config }) => {
    const settle = config.dependencies.settle as Duration;
    const { statuses, wakeAt, again } = evaluateAll(members, operators, order, settle, now);
    return { status: statuses, wakeAt, again };
  },
});
