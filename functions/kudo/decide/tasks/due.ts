import type { Obj, Reader } from "../../../../shared/function/index.ts";
import { type Configuration, mayBring } from "../../configuration.ts";
import { Instance, type TaskStatus, Templated } from "../../kinds/index.ts";
import { type InstanceView, versionKey } from "../definition/index.ts";
import type { TaskPlace, Turn } from "../run/index.ts";
import type { VersionOf } from "./child-versions.ts";
import { dependencyFault } from "./circle.ts";
import { type Look, look, type SeenTask } from "./look.ts";
import { type Prepared, prepare } from "./prepare.ts";
import type { TaskRun } from "./task-run.ts";

type Run = Extract<Turn, { readonly do: "run" }>;

/** The key of a task in its plan. */
export const placeKey = ({ phase, step, task }: TaskPlace): string => `${phase}/${step}/${task}`;

/** The tasks of a run that are due, by place. */
export const dueTasks = (
  instance: InstanceView,
  { version, consumed, plan, due }: Pick<Run, "version" | "consumed" | "plan" | "due">,
): readonly (TaskRun & { readonly place: TaskPlace })[] =>
  due.flatMap(({ phase, step, tasks }) =>
    tasks.map(({ name: task, place }) => ({ instance, version, consumed, plan, phase, step, task, place })),
  );

/** The status of a task of a plan; undefined where none is known. */
export const taskStatus = (
  instance: InstanceView,
  plan: string,
  { phase, step, task }: TaskPlace,
): TaskStatus | undefined =>
  instance.status?.planStatus?.[plan]?.phases?.[phase]?.steps?.[step]?.tasks?.[task];

/** True where the task was never run: then none of its objects is there, as a rule. */
function isFirstRun(instance: InstanceView, plan: string, place: TaskPlace): boolean {
  const { executions = 0, lastSucceeded } = instance.status ?? {};
  if (executions !== 1 || lastSucceeded !== undefined) return false;
  return (taskStatus(instance, plan, place)?.status ?? "PENDING") === "PENDING";
}

const circular = (message: string): Prepared => ({
  do: "report",
  report: { state: "fatal", reason: "CircularDependency", message },
});

/** Reads what the tasks that are due rest on, by place. */
export async function lookAtDue(
  instance: InstanceView,
  run: Run,
  read: Pick<Reader<"templated" | "Instance">, "object" | "knows" | "exec" | "get">,
  readVersion: VersionOf,
  config: Configuration,
): Promise<ReadonlyMap<string, SeenTask>> {
  const namespace = instance.metadata.namespace;
  const known = new Map<string, ReturnType<VersionOf>>();
  const versionOf: VersionOf = (reference) => {
    const key = versionKey(reference, namespace);
    const found = known.get(key) ?? readVersion(reference);
    known.set(key, found);
    return found;
  };
  const reads: Look = {
    versionOf,
    instanceNamed: (name) => read.get(Instance, { name, namespace }),
    read: (at): Promise<Obj<typeof Templated> | undefined> => read.object(Templated, at),
    knows: (what) => read.knows(Templated, what),
    exec: read.exec,
    mayBring: (group) => mayBring(config, group),
  };
  const tasks = dueTasks(instance, run).map((task) => ({ ...task, prepared: prepare(task) }));
  const fault = tasks.some(({ prepared }) => prepared.do === "child")
    ? await dependencyFault(run.version, (name) => versionOf({ name }))
    : undefined;
  const seen = await Promise.all(
    tasks.map(async ({ place, prepared }) => {
      const wanted = prepared.do === "child" && fault !== undefined ? circular(fault) : prepared;
      return [
        placeKey(place),
        await look(wanted, namespace, reads, isFirstRun(instance, run.plan, place)),
      ] as const;
    }),
  );
  return new Map(seen);
}
