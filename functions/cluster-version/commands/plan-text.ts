import { table } from "../../../shared/text.ts";
import type { Plan, PlanLine, PlannedTask } from "./plan.ts";
import { ago } from "./status-text.ts";

/** The plan for people: a line for what is applied one after the other, or with `tasks` a line for each object. */
export function planText(plan: Plan, tasks: boolean, now: number): string {
  const percent = plan.total === 0 ? 100 : Math.trunc((100 * plan.done) / plan.total);
  const head = `${plan.version} (${plan.image}), ${MODES[plan.mode]}: ${plan.done} of ${plan.total} done (${percent}%)`;
  const left =
    plan.excluded.length === 0
      ? []
      : ["", `${plan.excluded.length} further objects are not for this cluster.`];
  return [head, "", tasks ? taskTable(plan, now) : lineTable(plan, now), ...left].join("\n");
}

const MODES = {
  Initializing: "installing",
  Updating: "updating",
  Reconciling: "applied, kept as it is",
} as const;

const lineTable = ({ lines }: Plan, now: number): string =>
  table(
    ["step", "level", "component", "done", "state", "since", "at"],
    lines.map((line) => [
      line.step,
      line.levels.join(", "),
      line.components.join(", "),
      `${line.done}/${line.tasks.length}`,
      line.state,
      ago(line.since, now),
      line.why ?? (line.state === "next" ? nextTask(line)?.task : undefined),
    ]),
  );

const nextTask = ({ tasks }: PlanLine): PlannedTask | undefined =>
  tasks.find(({ state }) => state !== "done");

const taskTable = ({ lines }: Plan, now: number): string =>
  table(
    ["step", "task", "object", "state", "since", "why"],
    lines.flatMap(({ step, tasks }) =>
      tasks.map(({ index, task, state, since, why }) => [step, index, task, state, ago(since, now), why]),
    ),
  );
