import { CLEANUP, DEPLOY } from "../definition/index.ts";
import type { Denial } from "./messages.ts";
import type { Update } from "./request.ts";

/** The answer of a row: a refusal, or the plan that the lock is to hold. */
export type Answer =
  | { readonly deny: Denial }
  /** The object stays as it was sent. */
  | { readonly allow: "unpatched" }
  /** With a lock that holds this plan under a new uid. */
  | { readonly allow: "plan"; readonly plan: "triggered" | "upgrade" | "named" }
  /** With an empty lock. */
  | { readonly allow: "empty" };

/** A row of the table: the first whose columns all hold is the answer. A column that is left out does not matter. */
export interface Row {
  readonly deleting?: boolean;
  readonly hadPlan?: boolean;
  readonly parameters?: "any" | "none" | "other plan" | "other than deploy";
  readonly upgrade?: boolean;
  readonly plan?: "empty" | "named" | "other" | "same" | "cleanup" | "leaves cleanup" | "not cleanup";
  readonly force?: boolean;
  readonly ended?: boolean;
  readonly terminal?: boolean;
  readonly newUid?: boolean;
  readonly answer: Answer;
}

const deny = (reason: Denial): Answer => ({ deny: reason });
const run = (plan: "triggered" | "upgrade" | "named"): Answer => ({ allow: "plan", plan });
const EMPTY: Answer = { allow: "empty" };
const UNPATCHED: Answer = { allow: "unpatched" };

/** The rules for updates, in the order in which they are asked (5.2). */
export const TABLE: readonly Row[] = [
  // An Instance that is being deleted runs cleanup and nothing else, and nobody but the controller schedules it.
  { deleting: true, plan: "leaves cleanup", answer: deny("leavesCleanup") },
  { deleting: true, parameters: "any", answer: deny("changesWhileDeleting") },
  { deleting: true, upgrade: true, answer: deny("changesWhileDeleting") },
  { deleting: true, plan: "not cleanup", answer: deny("onlyCleanup") },
  { deleting: true, answer: UNPATCHED },
  // A plan runs, or is about to.
  { hadPlan: true, force: true, plan: "cleanup", answer: deny("cleanup") },
  { hadPlan: true, force: true, parameters: "none", upgrade: false, plan: "other", answer: run("named") },
  { hadPlan: true, force: true, parameters: "none", upgrade: false, plan: "empty", answer: EMPTY },
  { hadPlan: true, parameters: "other plan", answer: deny("otherPlanTriggered") },
  { hadPlan: true, upgrade: true, answer: deny("upgradeWhileRunning") },
  // Nothing runs.
  { upgrade: true, hadPlan: false, plan: "named", answer: deny("upgradeAndPlan") },
  { upgrade: true, parameters: "other than deploy", answer: deny("upgradeAndTrigger") },
  { hadPlan: true, plan: "other", answer: deny("override") },
  // The controller lets go of a lock whose run has ended.
  { hadPlan: true, plan: "empty", ended: true, parameters: "none", answer: UNPATCHED },
  { hadPlan: true, plan: "empty", answer: deny("cancel") },
  { hadPlan: false, parameters: "any", plan: "named", answer: deny("planAndTrigger") },
  { plan: "cleanup", answer: deny("cleanup") },
  // What is allowed, and the plan that runs then.
  { upgrade: true, answer: run("upgrade") },
  { parameters: "any", answer: run("triggered") },
  { hadPlan: false, plan: "named", answer: run("named") },
  { terminal: true, answer: EMPTY },
  { hadPlan: true, plan: "same", newUid: true, answer: run("named") },
  { answer: UNPATCHED },
];

const PARAMETERS: Readonly<Record<NonNullable<Row["parameters"]>, (it: Update) => boolean>> = {
  none: ({ triggered }) => triggered === "",
  any: ({ triggered }) => triggered !== "",
  "other plan": ({ triggered, oldPlan }) => triggered !== "" && triggered !== oldPlan,
  "other than deploy": ({ triggered }) => triggered !== "" && triggered !== DEPLOY,
};
const PLAN: Readonly<Record<NonNullable<Row["plan"]>, (it: Update) => boolean>> = {
  empty: ({ newPlan }) => newPlan === "",
  named: ({ newPlan }) => newPlan !== "",
  other: ({ newPlan, oldPlan }) => newPlan !== "" && newPlan !== oldPlan,
  same: ({ newPlan, oldPlan }) => newPlan === oldPlan,
  cleanup: ({ newPlan }) => newPlan === CLEANUP,
  "leaves cleanup": ({ newPlan, oldPlan }) => oldPlan === CLEANUP && newPlan !== oldPlan,
  "not cleanup": ({ newPlan }) => newPlan !== "" && newPlan !== CLEANUP,
};
const FLAGS = ["deleting", "hadPlan", "upgrade", "force", "ended", "terminal", "newUid"] as const;

const holds = (row: Row, it: Update): boolean =>
  FLAGS.every((flag) => row[flag] === undefined || row[flag] === it[flag]) &&
  (row.parameters === undefined || PARAMETERS[row.parameters](it)) &&
  (row.plan === undefined || PLAN[row.plan](it));

/** The answer of the first row that holds. */
export const answerTo = (it: Update): Answer => TABLE.find((row) => holds(row, it))?.answer ?? UNPATCHED;
