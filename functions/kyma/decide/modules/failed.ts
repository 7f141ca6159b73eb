import type { Obj, Time } from "../../../../shared/function/index.ts";
import type { Kyma } from "../../kinds/index.ts";
import { conditionsOf } from "../conditions/index.ts";
import { lastOperation, type ModulesStatus, OWN_CONDITIONS } from "./state.ts";

/** The status of a Kyma whose run failed with an error that nobody expected. */
export function failedKyma({ status }: Obj<typeof Kyma>, message: string, now: Time): ModulesStatus {
  return {
    ...(status?.activeChannel !== undefined && { activeChannel: status.activeChannel }),
    ...(status?.modules !== undefined && { modules: status.modules }),
    state: "Error",
    lastOperation: lastOperation(status, message, now),
    conditions: conditionsOf(status, OWN_CONDITIONS, [], now),
  };
}
