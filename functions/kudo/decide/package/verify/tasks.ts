import type { Task } from "../../../kinds/index.ts";
import { quoted } from "../../definition/index.ts";
import { pipeTaskFault } from "../../pipes/index.ts";
import type { PackageFiles } from "../files.ts";
import type { Findings } from "./result.ts";

/** Each task is one that can run. */
export const buildFindings = ({ operator }: PackageFiles): Findings => ({
  errors: operator.tasks.flatMap((task) => buildFault(task) ?? []),
});

const EMPTY = "has an empty resource list. if that's what you need, use a Dummy task instead";

/** The reason why a task cannot run, in words. */
export function buildFault({ name = "", kind = "", spec }: Task): string | undefined {
  const fault = ((): string | undefined => {
    switch (kind) {
      case "Apply":
      case "Delete":
        return (spec?.resources ?? []).length === 0
          ? `${kind.toLowerCase()} task '${name}' ${EMPTY}`
          : undefined;
      case "Toggle":
        if ((spec?.resources ?? []).length === 0) return `toggle task ${EMPTY}`;
        return (spec?.parameter ?? "") === "" ? "Missing parameter to evaluate the Toggle Task" : undefined;
      case "Pipe":
        return pipeTaskFault(spec ?? {});
      case "KudoOperator":
        return (spec?.package ?? "") === ""
          ? `kudo operator task '${name}' has an empty package name`
          : undefined;
      default:
        return undefined;
    }
  })();
  if (fault !== undefined) return `task validation error: ${fault}`;
  return TASKS.includes(kind) ? undefined : `unknown task kind ${kind}`;
}

const TASKS: readonly string[] = ["Apply", "Delete", "Dummy", "Pipe", "Toggle", "KudoOperator"];

/** Every task that a plan names is there, and none is for nothing. */
export function taskReferenceFindings({ operator }: PackageFiles): Findings {
  const known = new Set(operator.tasks.map(({ name }) => name));
  const used = Object.entries(operator.plans).flatMap(([plan, { phases }]) =>
    (phases ?? []).flatMap(({ steps }) =>
      (steps ?? []).flatMap(({ tasks }) => (tasks ?? []).map((task) => ({ plan, task }))),
    ),
  );
  const named = new Set(used.map(({ task }) => task));
  return {
    errors: used
      .filter(({ task }) => !known.has(task))
      .map(({ plan, task }) => `task ${quoted(task)} in plan ${quoted(plan)} is not defined`),
    warnings: operator.tasks
      .filter(({ name = "" }) => !named.has(name))
      .map(({ name = "" }) => `task ${quoted(name)} defined but not used`),
  };
}
