import type { Predecessor } from "../../../shared/function/index.ts";

/** The field manager under which upstream's manager writes: the name of its program, since it sets none of its own. */
export const PREDECESSOR_MANAGERS: readonly string[] = ["manager"];

/** The upstream manager that runs plans. */
export const PREDECESSORS: readonly Predecessor[] = [
  { name: "KUDO manager", labelSelector: "control-plane=controller-manager,app=kudo-manager" },
];
