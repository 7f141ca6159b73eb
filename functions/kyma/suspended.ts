import { each } from "../../shared/function/index.ts";
import { suspensionPass } from "./decide/runtime/index.ts";
import { Kyma } from "./kinds/index.ts";

/** The word on a Kyma that a label leaves alone: all that is done for others is not done for it, and nothing else would tell (3.7). */
export const suspended = each(Kyma, { status: ["conditions.Suspended"], heeds: ["skipped"] }).function({
  name: "kyma-suspended",
  verbs: { Kyma: ["get", "patch"] },
  reconcile: ({ self }, { now }) => suspensionPass(self, now),
});
