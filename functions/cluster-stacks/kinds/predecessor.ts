import type { Predecessor } from "../../../shared/function/index.ts";

/** The field manager under which upstream's operator writes: the name of its program, since it sets none of its own. */
export const PREDECESSOR_MANAGERS: readonly string[] = ["manager"];

/** The field manager in whose name it applied objects of charts; it may be a person as well. */
export const CHART_MANAGERS: readonly string[] = ["kubectl"];

/** The upstream operator of these kinds. */
export const PREDECESSORS: readonly Predecessor[] = [
  { name: "cluster-stack-operator", labelSelector: "control-plane=cso-controller-manager" },
];
