import type { Proof } from "../../../infra/testing/system/proof.ts";
import { sonataflow } from "../index.ts";
import { scenarios } from "./scenarios.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

/** SonataFlow, handed over to the kit. */
export const proof: Proof<StackCluster> = {
  name: "SonataFlow",
  system: sonataflow,
  scenarios,
  start: ({ api, ...options }) => startStackCluster(api, options),
  races: [20, 28, 29, 38, 39],
  orders: 6,
  controllerManager: true,
  meantReads: [
    ...["sonataflow-cluster-platforms", "sonataflow-platforms"].map((name) => ({
      function: name,
      kind: "SonataFlowPlatform",
      path: "status.conditions[Succeed].lastUpdateTime",
      why: "it begins a grace period, whose end is a deadline: there it is read again",
    })),
    ...["spec.persistence", "spec.properties"].map((path) => ({
      function: "sonataflow-workflows",
      kind: "SonataFlowPlatform",
      path,
      why: "it may be delicate: the platform's status.info, a fact, holds its digest",
    })),
    {
      function: "sonataflow-workflows",
      kind: "SonataFlowPlatform",
      path: "metadata.generation",
      why: "it is compared with status.observedGeneration, a fact, which follows it",
    },
    ...["status.services.dataIndexRef.url", 'metadata.annotations["sonataflow.org/operator.id"]'].map(
      (path) => ({
        function: "sonataflow-workflows",
        kind: "SonataFlow",
        path,
        why: "of two of a name, the one that looks last sees both",
      }),
    ),
  ],
};

/** The numbers of those that are played on the whole stack with the unit tests, a quarter: there all are played by decisions alone. */
const ON_STACK = new Set([1, 4, 7, 12, 16, 22, 24, 29, 31, 36, 37, 39, 40, 47]);
const isQuick = ({ number }: { readonly number: number }): boolean => ON_STACK.has(number);
export const quickProof: Proof<StackCluster> = { ...proof, scenarios: proof.scenarios.filter(isQuick) };
/** The rest of them. */
export const longProof: Proof<StackCluster> = {
  ...proof,
  scenarios: proof.scenarios.filter((one) => !isQuick(one)),
};
