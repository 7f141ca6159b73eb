import type { Predecessor } from "../../../shared/function/index.ts";

/** The field manager under which upstream's operator writes: the name of its program, since it sets none of its own. */
export const PREDECESSOR_MANAGERS: readonly string[] = ["manager"];

/** The upstream operator of these kinds. */
export const PREDECESSORS: readonly Predecessor[] = [
  { name: "cluster-stack-operator", labelSelector: "control-plane=cso-controller-manager" },
];
