import { allInNamespace } from "../../shared/function/index.ts";
import { policyStatuses } from "./decide/policy/index.ts";
import { KymaPolicy } from "./kinds/index.ts";

/** The policies of a namespace: which rules of theirs hold, judged together (3.9). */
export const policies = allInNamespace(KymaPolicy).function({
  name: "kyma-policies",
  verbs: { KymaPolicy: ["list", "patch"] },
  reconcile: ({ members }, { now }) => ({ status: policyStatuses(members, now) }),
});
