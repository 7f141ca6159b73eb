import type { Obj, Time } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import type { Kyma } from "../../kinds/index.ts";
import { conditionsOf } from "../conditions/index.ts";
import { lastOperation, type ModulesStatus, OWN_CONDITIONS } from "./state.ts";

/** The status of a Kyma whose run failed with an error that nobody expected. */
export function failedKyma(self: Obj<typeof Kyma>, message: string, now: Time): ModulesStatus {
  const { status } = self;
  return {
    ...(status?.activeChannel !== undefined && { activeChannel: status.activeChannel }),
    ...(status?.modules !== undefined && { modules: status.modules }),
    // One that goes has begun to, whatever failed.
    state: isDeleting(self) ? "Deleting" : "Error",
    lastOperation: lastOperation(status, message, now),
    conditions: conditionsOf(status, OWN_CONDITIONS, [], now),
  };
}
