import {
  type Effects,
  inOrder,
  type Obj,
  type Result,
  type Results,
  type Unstructured,
  type Wait,
} from "../../../../shared/function/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { Instance, TaskStatus } from "../../kinds/index.ts";
import type { Origin } from "../decorate/index.ts";
import type { Sighting } from "../inventory/index.ts";
import type { TaskReport } from "../run/index.ts";
import type { Note } from "../status/index.ts";
import type { SeenObject } from "./seen.ts";

/** The kinds that tasks write. */
export type Written = "templated" | "Instance";
/** The effects of a task, and its report once they have ended. */
export interface RunningTask {
  readonly effects: Effects<Written>;
  readonly report: (results: Results) => TaskReport;
  /** The objects that it then knows of. */
  readonly sightings?: (results: Results) => readonly Sighting[];
  /** Events for people, beside those about the plan. */
  readonly notes?: readonly Note[];
}

/** The step that a task belongs to, as it is now. */
export interface TaskContext {
  readonly self: Obj<typeof Instance>;
  readonly origin: Origin;
  /** The status of a task, as far as it is known. */
  readonly known: TaskStatus | undefined;
  /** The image of the container that waits in the Pod of a Pipe task. */
  readonly waiterImage: string;
}

export const DONE: TaskReport = { state: "done" };
export const nameOf = ({ kind, metadata }: KubeObject): string => `${kind.toLowerCase()} ${metadata.name}`;
/** A task that writes nothing in this pass. */
export const idle = (report: TaskReport): RunningTask => ({ effects: [], report: () => report });

/** A sighting of an object; none where nobody knows its kind. */
export const sighted = ({ object, scope }: SeenObject, is: Sighting["is"]): readonly Sighting[] =>
  scope === undefined
    ? []
    : [
        {
          object: { apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name },
          scope,
          is,
        },
      ];

/** Tasks go through their objects in the order in which templates name them; the worst report is the task's. */
export function together(parts: readonly RunningTask[]): RunningTask {
  return {
    effects: inOrder(...parts.map(({ effects }) => effects)),
    report: (results) => worst(parts.map(({ report }) => report(results))),
    sightings: (results) => parts.flatMap(({ sightings }) => sightings?.(results) ?? []),
  };
}

function worst(reports: readonly TaskReport[]): TaskReport {
  const fatal = reports.find(({ state }) => state === "fatal");
  const refused = reports.find(({ state }) => state === "refused");
  const failed = reports.find(({ state }) => state === "failed");
  if (fatal ?? refused ?? failed) return fatal ?? refused ?? failed ?? DONE;
  const waiting = reports.flatMap((report) => (report.state === "waiting" ? [report] : []));
  if (waiting.length === 0) return DONE;
  const patience = waiting.flatMap((report) => report.patience ?? [])[0];
  return {
    state: "waiting",
    message: waiting.map(({ message }) => message).join(", "),
    waits: waiting.flatMap(({ waits }) => waits ?? []),
    ...(patience !== undefined && { patience }),
  };
}

/** The change of an object that a task waits for. */
export const waitOn = ({ object, scope }: SeenObject, namespace: string, what: string): Wait => ({
  for: `${nameOf(object)} ${what}`,
  object: {
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: object.metadata.name,
    ...(scope !== "Cluster" && { namespace }),
  },
});

/** The statuses by which the API server says that the object is wrong: another try may pass, the third proves it. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 405, 413, 422]);

/** The report about a write that was not done; undefined where it was. */
export function failure(result: Result<unknown>, object: string): TaskReport | undefined {
  if (result.state === "done") return undefined;
  // Nothing was sent: what came before it failed, and says so.
  if (result.state === "not run") return { state: "failed", message: `${object} was not applied yet` };
  const { error } = result;
  const message = `${object}: ${error.message}`;
  if (error.code === "OWNED_BY_ANOTHER") return { state: "fatal", reason: "TaskEnhancementError", message };
  // An Instance of this name was deleted: what it owned is on its way out, and its going wakes.
  if (error.code === "OWNED_BY_FORMER" && error.object !== undefined)
    return { state: "waiting", message, waits: [{ for: `${object} to be gone`, object: error.object }] };
  if (error.status !== undefined && REFUSED.has(error.status))
    return { state: "refused", reason: "ResourceValidationError", message };
  return { state: "failed", message };
}

/** The grace for a kind that a definition, applied a step before, has yet to bring. */
const UNSERVED = { seconds: 30, reason: "ResourceValidationError" } as const;

/** The report about an object of a kind that is not admitted, or not served. */
export function unserved(seen: SeenObject, namespace: string): TaskReport {
  const { object, refused, isForeign, template } = seen;
  if (refused !== undefined) return { state: "fatal", reason: "ResourceValidationError", message: refused };
  const of = template === undefined ? "" : ` of template ${template}`;
  const message = `${nameOf(object)}${of}: the API server knows no ${object.kind} of ${object.apiVersion}`;
  // Whatever brings it, it is not for this system: nobody would hear of it either.
  if (isForeign === true)
    return {
      state: "fatal",
      reason: "ResourceValidationError",
      message: `${message}, and no kind of its group is admitted: add it to configuration.kudo.kinds`,
    };
  return {
    state: "waiting",
    message,
    waits: [waitOn(seen, namespace, "to be of a kind that is served")],
    patience: UNSERVED,
  };
}

/** The option by which a template wins over whoever wrote a field before. */
export const FORCE = { force: true } as const;
/** The part of an object that a template may say: of its metadata name and place, labels, annotations, finalizers. */
export function bodyOf({ metadata, ...fields }: KubeObject): Unstructured & { readonly metadata: Body } {
  const { name, namespace, labels, annotations, finalizers } = metadata;
  return {
    ...fields,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && finalizers.length > 0 && { finalizers }),
    },
  };
}
interface Body {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}
