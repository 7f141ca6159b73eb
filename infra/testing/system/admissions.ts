import { systemClock } from "../../../shared/clock/clock.ts";
import type { System } from "../../../shared/function/index.ts";
import { silent } from "../../../shared/log/log.ts";
import { answerHere, type DevAdmissions } from "../../cli/dev/admissions.ts";
import type { Stack } from "../stack.ts";

/** Lets an API server ask the admissions of a system before it stores what anybody writes. */
export const admissionsOf = ({ api }: Pick<Stack, "api">, system: System): Promise<DevAdmissions> =>
  answerHere({ client: api.newClient(), systems: [system], clock: systemClock, log: silent });
