import { CLEANUP } from "../definition/index.ts";
import type { Update } from "./request.ts";

/** The beginning of most refusals of an update. */
export const failed = ({ where }: Pick<Update, "where">, why: string): string =>
  `failed to update Instance ${where}: ${why}`;
/** The beginning of refusals of a new Instance. */
export const notCreated = (where: string, why: string): string =>
  `failed to create an Instance ${where}: ${why}`;

/** The refusals of the table. Users' scripts look for these words: they are upstream's to the byte. */
export const MESSAGES = {
  leavesCleanup: (it) =>
    `'${it.oldPlan}' plan can not be cancelled or overridden by another plan since the instance is being deleted`,
  changesWhileDeleting: () =>
    "parameter update and/or upgrade is not allowed when an instance is being deleted",
  onlyCleanup: () => `only '${CLEANUP}' plan can be scheduled when an instance is being deleted`,
  otherPlanTriggered: (it) =>
    `plan '${it.oldPlan}' is scheduled (or running) and an update would trigger a different plan '${it.triggered}'`,
  upgradeWhileRunning: (it) =>
    `upgrade to new OperatorVersion ${it.newVersion} while a plan '${it.oldPlan}' is scheduled (or running) is not allowed`,
  upgradeAndPlan: (it) =>
    `upgrade to new OperatorVersion ${it.newVersion} and triggering new plan '${it.newPlan}' is not allowed`,
  upgradeAndTrigger: (it) =>
    `upgrade to new OperatorVersion ${it.newVersion} together with a parameter update triggering '${it.triggered}' is not allowed`,
  override: (it) =>
    `overriding currently scheduled (or running) plan '${it.oldPlan}' with '${it.newPlan}' is not supported`,
  cancel: (it) => `cancelling currently scheduled (or running) plan '${it.oldPlan}' is not supported`,
  // The first name is always empty: the Instance was idle. Upstream prints it so.
  planAndTrigger: (it) =>
    `triggering one plan '${it.oldPlan}' directly and through parameter update '${it.newPlan}' is not allowed`,
  cleanup: (it) => `only the controller schedules the '${it.newPlan}' plan when the instance is deleted`,
} as const satisfies Readonly<Record<string, (it: Update) => string>>;
export type Denial = keyof typeof MESSAGES;
