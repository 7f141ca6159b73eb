import { sameJson } from "../../../shared/json/same-json.ts";
import { admitCreate, admitUpdate } from "../decide/admit/index.ts";
import type { Definition, InstanceView } from "../decide/definition/index.ts";
import { type PlannedObject, plannedObjects } from "../decide/package/index.ts";
import { FUNCTIONS } from "../decide/render/index.ts";

/** The telling of a dry run: the plan that would start, and the objects that it would touch. */
export interface DryRun {
  /** Absent: none would start. */
  readonly plan?: string;
  /** The reason why it would be refused. */
  readonly refused?: string;
  readonly objects: readonly { readonly object: string; readonly change: Change; readonly task: string }[];
  readonly notes: readonly string[];
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
  if (!answer.allow) return { refused: answer.message, objects: [], notes: [] };
  const plan = (answer.change?.planExecution ?? instance.spec?.planExecution)?.planName ?? "";
  if (plan === "" || (plan === before?.instance.spec?.planExecution?.planName && answer.change === undefined))
    return { objects: [], notes: [] };
  const { name, namespace } = instance.metadata;
  const wanted = plannedObjects(
    { definition: version, plan, instance: name, namespace, parameters: instance.spec?.parameters },
    FUNCTIONS,
  );
  const known = new Map(
    before?.version === undefined
      ? []
      : Object.keys(before.version.spec?.plans ?? {})
          .flatMap((one) =>
            before.version === undefined
              ? []
              : plannedObjects(
                  {
                    definition: before.version,
                    plan: one,
                    instance: name,
                    namespace,
                    parameters: before.instance.spec?.parameters,
                  },
                  FUNCTIONS,
                ).objects,
          )
          .filter(({ act }) => act === "apply")
          .map((one) => [one.name, one.object]),
  );
  const changeOf = ({ act, name: object, object: now }: PlannedObject): Change => {
    if (act === "delete") return "delete";
    const was = known.get(object);
    return was === undefined ? "create" : sameJson(was, now) ? "keep" : "change";
  };
  return {
    plan,
    objects: wanted.objects.map((one) => ({ object: one.name, change: changeOf(one), task: one.task })),
    notes: wanted.notes,
  };
}

const SIGNS: Readonly<Record<Change, string>> = { create: "+", change: "~", keep: "=", delete: "-" };

/** The telling of a dry run for people. */
export function dryRunText({ plan, refused, objects, notes }: DryRun): string {
  if (refused !== undefined) return `It would be refused: ${refused}`;
  if (plan === undefined) return "No plan would start.";
  return [
    `Plan ${plan} would start.`,
    ...objects.map(({ object, change, task }) => `  ${SIGNS[change]} ${object} (${task})`),
    ...notes.map((note) => `  ? ${note}`),
    ...(objects.length > 0 ? ["+ created, ~ changed, = applied as it is, - deleted"] : []),
  ].join("\n");
}
