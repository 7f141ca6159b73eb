import { sameJson } from "../../../../shared/json/same-json.ts";
import type { PlanExecution } from "../../kinds/index.ts";
import { triggered } from "../choice/index.ts";
import {
  CLEANUP,
  DEPLOY,
  type Definition,
  hasPlan,
  type InstanceView,
  upgradePlan,
} from "../definition/index.ts";
import {
  changesOf,
  droppedByUpgrade,
  type Edit,
  immutableDefaults,
  immutableFault,
  keptImmutables,
  upgradeFault,
  valuesFault,
} from "../parameters/index.ts";
import { failed, MESSAGES, notCreated } from "./messages.ts";
import { updateOf } from "./request.ts";
import { type Answer, answerTo } from "./table.ts";

/** The change of an object that is allowed: what is absent stays as it was sent. */
export interface Change {
  /** The lock; null empties it. */
  readonly planExecution?: PlanExecution | null;
  /** Values of parameters to set; null takes one away. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  /** The finalizer to add. */
  readonly finalizer?: string;
}

/** The answer to a question of admission. */
export type Admission =
  | { readonly allow: true; readonly change?: Change }
  /** `code` is the HTTP status: 403 for a refusal, 500 where what it rests on is not there, as upstream answers. */
  | { readonly allow: false; readonly code: 403 | 500; readonly message: string };

/** The finalizer of an Instance whose OperatorVersion has a cleanup plan. */
export const FINALIZER = "kudo.dev.instance.cleanup";

const denied = (message: string): Admission => ({ allow: false, code: 403, message });
const unreadable = (name: string): Admission => ({
  allow: false,
  code: 500,
  message: `OperatorVersion.kudo.dev "${name}" not found`,
});
const ALLOWED: Admission = { allow: true };
const lock = (planName: string, uid: string): PlanExecution => ({ planName, uid, status: "NEVER_RUN" });

/** Answers the creation of an Instance: it begins with its deploy plan. */
export function admitCreate(instance: InstanceView, version: Definition | undefined, uid: string): Admission {
  const { spec, metadata } = instance;
  if (version === undefined) return unreadable(spec?.operatorVersion?.name ?? "");
  const where = `${metadata.namespace}/${metadata.name}`;
  if (!hasPlan(version, DEPLOY))
    return denied(notCreated(where, `couldn't find '${DEPLOY}' plan in the operatorVersion`));
  const defaults = immutableDefaults(version, spec?.parameters);
  const fault = valuesFault(version, { ...spec?.parameters, ...defaults });
  if (fault !== undefined) return denied(notCreated(where, `parameters are not valid: ${fault}`));
  return {
    allow: true,
    change: {
      planExecution: lock(DEPLOY, uid),
      ...(Object.keys(defaults).length > 0 && { parameters: defaults }),
      ...(hasPlan(version, CLEANUP) && { finalizer: FINALIZER }),
    },
  };
}

/** Answers an update of an Instance (5.2). `version` is the new spec's, `oldVersion` the old one's. */
export function admitUpdate(
  old: InstanceView,
  next: InstanceView,
  version: Definition | undefined,
  oldVersion: Definition | undefined,
  uid: string,
): Admission {
  if (sameJson(old.spec, next.spec) && sameJson(old.status, next.status)) return ALLOWED;
  if (isRelease(old, next)) return ALLOWED;
  if (version === undefined) return unreadable(next.spec?.operatorVersion?.name ?? "");
  if (oldVersion === undefined) return unreadable(old.spec?.operatorVersion?.name ?? "");
  const plan = next.spec?.planExecution?.planName ?? "";
  if (plan !== "" && !hasPlan(version, plan)) return denied(`plan ${plan} does not exist`);
  const checked = checkParameters(old, next, version, oldVersion);
  if (typeof checked === "string") return denied(checked);
  const it = updateOf(old, next, checked.triggered);
  const answer = answerTo(it);
  if ("deny" in answer) return denied(failed(it, MESSAGES[answer.deny](it)));
  const execution = executionOf(answer, it.newPlan, checked.triggered, version, uid);
  if (typeof execution === "string") return denied(failed(it, execution));
  const parameters = Object.keys(checked.parameters).length > 0 && { parameters: checked.parameters };
  if (execution === undefined && parameters === false) return ALLOWED;
  return {
    allow: true,
    change: { ...(execution !== undefined && { planExecution: execution }), ...parameters },
  };
}

/** True where nothing but a lock is emptied whose run has ended: that rests on no version, which may be gone. */
function isRelease(old: InstanceView, next: InstanceView): boolean {
  const { hadPlan, newPlan, ended, deleting } = updateOf(old, next, "");
  const wishes = ({ spec }: InstanceView) => ({ ...spec, planExecution: undefined });
  return hadPlan && newPlan === "" && ended && !deleting && sameJson(wishes(old), wishes(next));
}

/** The lock that is written; undefined: as it was sent; a text: why there is none. */
function executionOf(
  answer: Exclude<Answer, { readonly deny: unknown }>,
  named: string,
  byParameters: string,
  version: Definition,
  uid: string,
): PlanExecution | null | undefined | string {
  if (answer.allow === "unpatched") return undefined;
  if (answer.allow === "empty") return null;
  const plans = { named, triggered: byParameters, upgrade: upgradePlan(version) };
  const plan = plans[answer.plan];
  return plan === undefined
    ? "couldn't find any suitable plan that would be triggered by an OperatorVersion upgrade"
    : lock(plan, uid);
}

interface Checked {
  /** The plan that changed parameters trigger; empty: none. */
  readonly triggered: string;
  /** The values that are put right in them. */
  readonly parameters: Readonly<Record<string, string | null>>;
}

/** The plan that changed parameters trigger; as a text, the reason why they are refused. */
function checkParameters(
  old: InstanceView,
  next: InstanceView,
  to: Definition,
  from: Definition,
): Checked | string {
  const where = `${old.metadata.namespace}/${old.metadata.name}`;
  const isUpgrade = updateOf(old, next, "").upgrade;
  const sent: Edit = { before: old.spec?.parameters, after: next.spec?.parameters, from, to };
  const kept = isUpgrade ? {} : keptImmutables(sent);
  const edit: Edit = { ...sent, after: { ...sent.after, ...kept } };
  const changes = changesOf(edit);
  if (typeof changes === "string") return failed({ where }, changes);
  const immutable = (isUpgrade ? upgradeFault(edit) : undefined) ?? immutableFault(edit);
  if (immutable !== undefined)
    return `failed to check immutable parameters for Instance ${where}: ${immutable}`;
  const dropped = isUpgrade ? droppedByUpgrade(edit) : [];
  const invalid = valuesFault(to, edit.after);
  if (invalid !== undefined) return `failed to validate parameters for Instance ${where}: ${invalid}`;
  const plan = triggered(changes, to);
  if (plan.state === "fault") return failed({ where }, plan.message);
  return {
    triggered: plan.state === "plan" ? plan.plan : "",
    parameters: { ...kept, ...Object.fromEntries(dropped.map((name) => [name, null])) },
  };
}
