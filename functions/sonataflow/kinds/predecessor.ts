import type { Predecessor } from "../../../shared/function/index.ts";

/**
 * The operator that ran these kinds before writes with Update under the name of its program (`/manager`, later
 * `/usr/local/bin/manager`): it sets no field manager of its own.
 */
export const PREDECESSOR_MANAGERS: readonly string[] = ["manager"];

const DEPLOYMENT = "sonataflow-operator-controller-manager";
/** The label selectors of its Deployment. Older releases carry labels that many operators share: there its name tells. */
export const PREDECESSORS: readonly Predecessor[] = [
  { name: "SonataFlow operator", labelSelector: "control-plane=sonataflow-operator" },
  { name: "SonataFlow operator", labelSelector: "control-plane=controller-manager", workload: DEPLOYMENT },
  {
    name: "SonataFlow operator (installed by OLM)",
    labelSelector: "olm.owner.kind=ClusterServiceVersion",
    workload: DEPLOYMENT,
  },
];
