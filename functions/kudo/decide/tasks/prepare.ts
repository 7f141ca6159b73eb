import { isRecord } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import type { InstanceSpec, InstanceStatus, Task } from "../../kinds/index.ts";
import { effectiveValue, parametersOf, typeFault, wireText } from "../parameters/index.ts";
import { contextOf, operatorOf, pipesOf, renderObjects, renderText } from "../render/index.ts";
import type { FatalReason, TaskReport } from "../run/index.ts";
import { childVersion } from "./child-version.ts";
import { type PreparedPipe, preparePipe } from "./pipe-prepare.ts";
import type { TaskRun } from "./task-run.ts";

/** A task in terms of what its templates say. */
export type Prepared =
  | {
      readonly do: "apply" | "delete";
      readonly objects: readonly KubeObject[];
      /** The template of each object. */
      readonly templates: ReadonlyMap<KubeObject, string>;
    }
  | { readonly do: "child"; readonly child: Child }
  | PreparedPipe;

/** The Instance that a KudoOperator task makes. */
export interface Child {
  readonly name: string;
  readonly operator: string;
  readonly spec: Required<Pick<InstanceSpec, "operatorVersion" | "parameters">>;
}

const report = (it: TaskReport): Prepared => ({ do: "report", report: it });
const fatal = (reason: FatalReason, message: string): Prepared => report({ state: "fatal", reason, message });

/** Prepares a task: renders what it names. Nothing is read. */
export function prepare(run: TaskRun): Prepared {
  const task = run.version.spec?.tasks?.find(({ name }) => name === run.task);
  if (task === undefined)
    return fatal("UnknownTaskName", `failed to find task ${run.task}: no such task in the operator version`);
  const kind = KINDS.get(task.kind ?? "");
  return kind === undefined
    ? fatal("TaskBuildError", `task ${run.task} has the unknown kind "${task.kind ?? ""}"`)
    : kind(run, task.spec ?? {});
}

type Spec = NonNullable<Task["spec"]>;

const contextFor = ({ instance, version, consumed, plan, phase, step }: TaskRun, status?: InstanceStatus) =>
  contextOf(
    version,
    consumed.parameters,
    { instance: instance.metadata.name, namespace: instance.metadata.namespace, plan, phase, step },
    status === undefined ? {} : pipesOf(version, instance.metadata.name, plan, status),
  );

function objects(run: TaskRun, { resources }: Spec, what: "apply" | "delete"): Prepared {
  if (resources === undefined || resources === null || resources.length === 0)
    return fatal("TaskBuildError", `task ${run.task} names no resources`);
  const data = contextFor(run, run.instance.status ?? {});
  const rendered = renderObjects(run.version, resources, data);
  if ("fault" in rendered) return report({ state: "fatal", ...rendered.fault });
  return {
    do: what,
    objects: rendered.value.map(({ object }) => object),
    templates: new Map(rendered.value.map(({ object, template }) => [object, template])),
  };
}

const TRUE = new Set(["1", "t", "T", "TRUE", "true", "True"]);

function toggle(run: TaskRun, spec: Spec): Prepared {
  const { parameter = "" } = spec;
  if (parameter === "") return fatal("TaskBuildError", `task ${run.task} names no parameter`);
  const declared = parametersOf(run.version).get(parameter);
  if (declared === undefined)
    return fatal("ToggleTaskError", `parameter ${parameter} of task ${run.task} is not defined`);
  const value = effectiveValue(declared, run.consumed.parameters);
  const fault = typeFault("boolean", value);
  return fault === undefined
    ? objects(run, spec, TRUE.has(value) ? "apply" : "delete")
    : fatal("ToggleTaskError", `parameter ${parameter} of task ${run.task} is no boolean: ${fault}`);
}

function dummy(_: TaskRun, { wantErr, fatal: isFatal, done }: Spec): Prepared {
  if (wantErr === true)
    return isFatal === true
      ? fatal("DummyTaskError", "dummy error")
      : report({ state: "failed", message: "dummy error" });
  return report(done === true ? { state: "done" } : { state: "waiting", message: "it is never done" });
}

function child(run: TaskRun, spec: Spec): Prepared {
  const { package: operator = "", operatorVersion = "", instanceName = "" } = spec;
  if (operator === "" || operatorVersion === "")
    return fatal("TaskBuildError", `task ${run.task} names no package, or no operatorVersion of it`);
  const parameters = childParameters(run, spec.parameterFile ?? "");
  if ("report" in parameters) return parameters;
  return {
    do: "child",
    child: {
      name: instanceName === "" ? `${run.instance.metadata.name}-${operator}` : instanceName,
      operator,
      spec: {
        operatorVersion: { name: childVersion(spec) },
        parameters: parameters.values,
      },
    },
  };
}

function childParameters(
  run: TaskRun,
  file: string,
): { readonly values: Readonly<Record<string, string>> } | Extract<Prepared, { do: "report" }> {
  const stop = (message: string) => ({
    do: "report" as const,
    report: { state: "fatal" as const, reason: "TaskRenderingError" as const, message },
  });
  if (file === "") return { values: {} };
  const text = renderText(run.version, file, contextFor(run));
  if ("fault" in text) return stop(text.fault.message);
  const { documents, faults } = documentsOf(text.value);
  const [fault] = faults;
  if (fault !== undefined) return stop(`${file}: ${fault.message}`);
  const value = documents[0]?.value ?? {};
  if (!isRecord(value)) return stop(`${file} is no map of parameters`);
  const values: Record<string, string> = {};
  for (const [name, given] of Object.entries(value)) {
    const wire = wireText({ value: given });
    if (wire === undefined) return stop(`${file}: parameter ${name} is null`);
    values[name] = wire;
  }
  return { values };
}

const KINDS: ReadonlyMap<string, (run: TaskRun, spec: Spec) => Prepared> = new Map([
  ["Apply", (run, spec) => objects(run, spec, "apply")],
  ["Delete", (run, spec) => objects(run, spec, "delete")],
  ["Toggle", toggle],
  ["Dummy", dummy],
  ["KudoOperator", child],
  ["Pipe", (run, spec) => preparePipe(run, spec, contextFor(run, run.instance.status ?? {}))],
]);

/** The operator's name and version, for the marks of what a task applies. */
export const originOf = (run: TaskRun) => ({
  operator: operatorOf(run.version),
  operatorVersion: run.version.spec?.version ?? "",
  instance: run.instance.metadata.name,
  namespace: run.instance.metadata.namespace,
  plan: run.plan,
  phase: run.phase,
  step: run.step,
  planUid: run.consumed.planUID,
});
