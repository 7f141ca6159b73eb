import type {
  Phase,
  PhaseStatus,
  Plan,
  PlanStatus,
  Step,
  StepStatus,
  TaskStatus,
} from "../../kinds/index.ts";
import type { Definition } from "../definition/index.ts";

type Fresh = "NEVER_RUN" | "PENDING";

/** The item of that name, the first that was not taken: names may be used twice. */
function taker<T extends { readonly name?: string | undefined }>(
  items: readonly T[] | undefined,
): (name: string | undefined) => T | undefined {
  const left = [...(items ?? [])];
  return (name) => {
    const at = left.findIndex((item) => (item.name ?? "") === (name ?? ""));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
}

function stepOf({ name }: Step, known: StepStatus | undefined, fresh: Fresh): StepStatus {
  return known ?? { name: name ?? "", status: fresh };
}

function phaseOf(phase: Phase, known: PhaseStatus | undefined, fresh: Fresh): PhaseStatus {
  const take = taker(known?.steps);
  return {
    ...(known ?? { name: phase.name ?? "", status: fresh }),
    steps: (phase.steps ?? []).map((step) => stepOf(step, take(step.name), fresh)),
  };
}

/** The phases and steps of a plan in its order: known ones as they are, new ones `fresh`, vanished ones gone. */
export function phasesOf(plan: Plan, known: readonly PhaseStatus[] | undefined, fresh: Fresh): PhaseStatus[] {
  const take = taker(known);
  return (plan.phases ?? []).map((phase) => phaseOf(phase, take(phase.name), fresh));
}

/** The entries of all plans of a version; those of plans that it does not have any more are kept. */
export function entriesOf(
  version: Definition,
  known: Readonly<Record<string, PlanStatus>> | undefined,
): Readonly<Record<string, PlanStatus>> {
  const plans = Object.entries(version.spec?.plans ?? {}).map(([name, plan]) => {
    const entry = known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
    return [
      name,
      {
        ...(entry ?? { name, status: "NEVER_RUN" as const }),
        phases: phasesOf(plan, entry?.phases, "NEVER_RUN"),
      },
    ] as const;
  });
  return { ...known, ...Object.fromEntries(plans) };
}

/** The tasks of a step in its order: known ones as they are, if it is the same list. */
export function tasksOf(step: Step, known: readonly TaskStatus[] | undefined): readonly TaskStatus[] {
  const take = taker(known);
  return (step.tasks ?? []).map((name) => take(name) ?? { name, status: "PENDING" });
}
