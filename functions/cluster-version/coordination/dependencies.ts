import * as z from "zod";
import { all, changed, type Duration } from "../../../shared/function/index.ts";
import { ClusterOperator } from "../kinds/cluster-operator.ts";
import { ClusterOperatorDependency } from "../kinds/cluster-operator-dependency.ts";
import { evaluateAll } from "./evaluate.ts";
import { noOrder } from "./order.ts";

/** How the dependencies of operators are judged. */
export const dependencyConfiguration = z.object({
  dependencies: z
    .object({
      settle: z
        .string()
        .regex(/^\d+(\.\d+)?(ms|s|m|h)$/)
        .default("5s")
        .describe("How long a dependency must not have been met before that is told."),
    })
    .prefault({})
    .describe("How operators are told that those they wait for have arrived."),
});

/** Says of each dependency whether it can be met and whether it is: the watcher makes `dependency.ready` and `.lost` of it. */
export const clusterOperatorDependencies = all(ClusterOperatorDependency).function({
  name: "cluster-operator-dependencies",
  config: dependencyConfiguration,
  wakes: [changed(ClusterOperator).toEvery()],
  net: "10m",
  verbs: { ClusterOperatorDependency: ["list"], ClusterOperator: ["list"] },
  observe: async ({ members, read }) => ({
    operators: members.length === 0 ? [] : await read.list(ClusterOperator),
  }),
  reconcile: ({ members, operators }, { now, config }) => {
    const { statuses, wakeAt, again } = evaluateAll(
      members,
      operators,
      noOrder,
      config.dependencies.settle as Duration,
      now,
    );
    return { status: statuses, wakeAt, again };
  },
});
