import type { KubeObject } from "../../../../shared/kube/object.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import { objectOf } from "../../../../shared/manifests/object-of.ts";
import {
  type Data,
  type Functions,
  parseTemplate,
  TemplateError,
  textMap,
} from "../../../../shared/templates/index.ts";
import type { OperatorVersionSpec, Task } from "../../kinds/index.ts";
import { type Definition, planNamed } from "../definition/index.ts";
import { effectiveValues, templateValue, type Values } from "../parameters/index.ts";
import { templatesOf } from "./convert.ts";

/** A run that is only thought of. */
export interface PlannedRun {
  readonly definition: Definition;
  readonly plan: string;
  readonly instance: string;
  readonly namespace: string;
  readonly parameters: Values | undefined;
}

/** An object that a plan would apply or delete, with the step that does. */
export interface PlannedObject {
  readonly act: "apply" | "delete";
  /** `ConfigMap web`. */
  readonly name: string;
  /** `deploy.main.app.infra`. */
  readonly task: string;
  readonly object: KubeObject;
}

/** The objects that a plan would touch, in its order; beside them what cannot be told before it runs, in words. */
export interface Planned {
  readonly objects: readonly PlannedObject[];
  readonly notes: readonly string[];
}

/** Renders the templates of a plan as its run would, with names in place of what only a run knows. */
export function plannedObjects(run: PlannedRun, functions: Functions): Planned {
  const spec = run.definition.spec ?? {};
  const tasks = new Map((spec.tasks ?? []).map((task) => [task.name, task]));
  const objects: PlannedObject[] = [];
  const notes: string[] = [];
  for (const phase of planNamed(run.definition, run.plan)?.phases ?? [])
    for (const step of phase.steps ?? [])
      for (const name of step.tasks ?? []) {
        const path = [run.plan, phase.name ?? "", step.name ?? "", name].join(".");
        const task = tasks.get(name);
        if (task === undefined) {
          notes.push(`${path}: there is no such task`);
          continue;
        }
        const act = actOf(task, run);
        if (act === undefined) notes.push(noteOf(path, task));
        for (const template of act === undefined ? [] : templatesOf(task))
          try {
            const text = rendered(template, { run, spec, phase: phase.name, step: step.name }, functions);
            for (const { value } of documentsOf(text).documents) {
              const object = objectOf(value);
              if (typeof object === "string") notes.push(`${path}: ${template}: ${object}`);
              else
                objects.push({
                  act: act ?? "apply",
                  name: `${object.kind} ${object.metadata.name}`,
                  task: path,
                  object,
                });
            }
          } catch (error) {
            if (!(error instanceof TemplateError)) throw error;
            notes.push(`${path}: ${error.message}`);
          }
      }
  return { objects, notes };
}

function actOf(
  { kind, spec }: Task,
  { definition, parameters }: PlannedRun,
): PlannedObject["act"] | undefined {
  if (kind === "Apply") return "apply";
  if (kind === "Delete") return "delete";
  if (kind !== "Toggle") return undefined;
  const value = effectiveValues(definition, parameters).get(spec?.parameter ?? "") ?? "";
  if (/^(1|t|T|TRUE|true|True)$/.test(value)) return "apply";
  return /^(0|f|F|FALSE|false|False)$/.test(value) ? "delete" : undefined;
}

function noteOf(path: string, { kind = "", spec }: Task): string {
  if (kind === "Pipe")
    return `${path}: runs a Pod and keeps ${(spec?.pipe ?? []).map(({ key }) => key).join(", ")}`;
  if (kind === "KudoOperator") return `${path}: an Instance of ${spec?.package ?? ""} and its own plan`;
  if (kind === "Toggle") return `${path}: ${spec?.parameter ?? ""} is neither true nor false`;
  return `${path}: ${kind}, which touches nothing`;
}

/**
 * The object of a namespace manifest, as it is before anything runs; undefined where it renders to none.
 * @throws TemplateError
 */
export function namespaceObject(
  template: string,
  run: Omit<PlannedRun, "plan">,
  functions: Functions,
): KubeObject | undefined {
  const spec = run.definition.spec ?? {};
  const text = rendered(template, { run: { ...run, plan: "" }, spec, phase: "", step: "" }, functions);
  const object = objectOf(documentsOf(text).documents[0]?.value);
  return typeof object === "string" ? undefined : object;
}

interface Scene {
  readonly run: PlannedRun;
  readonly spec: OperatorVersionSpec;
  readonly phase: string | undefined;
  readonly step: string | undefined;
}

function rendered(
  template: string,
  { run, spec, phase = "", step = "" }: Scene,
  functions: Functions,
): string {
  const text = spec.templates?.[template] ?? "";
  const types = new Map((spec.parameters ?? []).map((one) => [one.name, one["value-type"]]));
  return parseTemplate(template, text, { functions }).execute({
    Name: run.instance,
    Namespace: run.namespace,
    OperatorName: spec.operator?.name ?? "",
    OperatorVersion: spec.version ?? "",
    AppVersion: spec.appVersion ?? "",
    PlanName: run.plan,
    PhaseName: phase,
    StepName: step,
    Params: Object.fromEntries(
      [...effectiveValues(run.definition, run.parameters)].map(([name, value]): [string, Data] => [
        name,
        (templateValue(types.get(name), value)?.value ?? null) as Data,
      ]),
    ),
    Pipes: textMap(
      Object.fromEntries(
        (spec.tasks ?? []).flatMap(({ kind, spec: task }) =>
          kind === "Pipe" ? (task?.pipe ?? []).map(({ key = "" }) => [key, `made by ${key}`]) : [],
        ),
      ),
    ),
  });
}
