import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { admitCreate, admitUpdate } from "../decide/admit/index.ts";
import type { Definition, InstanceView } from "../decide/definition/index.ts";
import { type PlannedObject, plannedObjects } from "../decide/tasks/index.ts";

/** The telling of a dry run: the plan that would start, and the objects that it would touch. */
export interface DryRun {
  /** Absent: none would start. */
  readonly plan?: string;
  /** The reason why it would be refused. */
  readonly refused?: string;
  readonly objects: readonly { readonly object: string; readonly change: Change; readonly task: string }[];
  readonly notes: readonly string[];
  /** In words what would stop the plan. */
  readonly faults: readonly string[];
}
type Change = "create" | "change" | "keep" | "delete";

/** An Instance before and after a write, with the versions that both name. */
export interface ThoughtOf {
  readonly before?: { readonly instance: InstanceView; readonly version: Definition | undefined };
  readonly instance: InstanceView;
  readonly version: Definition;
}

/** Tells what a write would start, by the same decision that admission takes, and what that run would render otherwise than the last one. */
export function dryRunOf({ before, instance, version }: ThoughtOf): DryRun {
  const uid = "00000000-0000-0000-0000-000000000000";
  const answer =
    before === undefined
      ? admitCreate(instance, version, uid)
      : admitUpdate(before.instance, instance, version, before.version, uid);
  if (!answer.allow) return { refused: answer.message, objects: [], notes: [], faults: [] };
  const plan = (answer.change?.planExecution ?? instance.spec?.planExecution)?.planName ?? "";
  if (plan === "" || (plan === before?.instance.spec?.planExecution?.planName && answer.change === undefined))
    return { objects: [], notes: [], faults: [] };
  const wanted = plannedObjects({ version, plan, instance });
  const known = appliedBefore(before);
  const changeOf = ({ act, name: object, object: now }: PlannedObject): Change => {
    if (act === "delete") return "delete";
    const was = known.get(object);
    return was === undefined ? "create" : sameJson(was, now) ? "keep" : "change";
  };
  return {
    plan,
    objects: wanted.objects.map((one) => ({ object: one.name, change: changeOf(one), task: one.task })),
    notes: wanted.notes,
    faults: wanted.faults,
  };
}

/** The objects that the plans of before apply, by name. */
function appliedBefore(before: ThoughtOf["before"]): ReadonlyMap<string, KubeObject> {
  const { instance, version } = before ?? {};
  if (instance === undefined || version === undefined) return new Map();
  return new Map(
    Object.keys(version.spec?.plans ?? {})
      .flatMap((plan) => plannedObjects({ version, plan, instance }).objects)
      .filter(({ act }) => act === "apply")
      .map(({ name, object }) => [name, object]),
  );
}

const SIGNS: Readonly<Record<Change, string>> = { create: "+", change: "~", keep: "=", delete: "-" };

/** The telling of a dry run for people. */
export function dryRunText({ plan, refused, objects, notes, faults }: DryRun): string {
  if (refused !== undefined) return `It would be refused: ${refused}`;
  if (plan === undefined) return "No plan would start.";
  return [
    `Plan ${plan} would start.`,
    ...objects.map(({ object, change, task }) => `  ${SIGNS[change]} ${object} (${task})`),
    ...notes.map((note) => `  ? ${note}`),
    ...faults.map((fault) => `  ! ${fault}`),
    ...(objects.length > 0 ? ["+ created, ~ changed, = applied as it is, - deleted"] : []),
  ].join("\n");
}
