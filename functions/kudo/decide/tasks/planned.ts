import type { KubeObject } from "../../../../shared/kube/object.ts";
import { type Definition, type InstanceView, planNamed } from "../definition/index.ts";
import type { Pipe } from "./pipe-prepare.ts";
import { prepare } from "./prepare.ts";

/** A run that is only thought of. */
export interface PlannedRun {
  readonly version: Definition;
  readonly plan: string;
  readonly instance: InstanceView;
}

/** An object that a plan would apply or delete, with the task that does. */
export interface PlannedObject {
  readonly act: "apply" | "delete";
  /** `ConfigMap web`. */
  readonly name: string;
  /** `deploy.main.app.infra`. */
  readonly task: string;
  readonly object: KubeObject;
}

/** The objects that a plan would touch, in its order. */
export interface Planned {
  readonly objects: readonly PlannedObject[];
  /** In words what the tasks do that apply and delete nothing themselves. */
  readonly notes: readonly string[];
  /** In words what would stop the plan, or hold it. */
  readonly faults: readonly string[];
}

/** Prepares the tasks of a plan as its run would. */
export function plannedObjects({ version, plan, instance }: PlannedRun): Planned {
  const consumed = {
    execution: 0,
    planName: plan,
    planUID: "",
    operatorVersion: { name: version.metadata.name },
    parameters: { ...instance.spec?.parameters },
  };
  const objects: PlannedObject[] = [];
  const notes: string[] = [];
  const faults: string[] = [];
  for (const { name: phase = "", steps } of planNamed(version, plan)?.phases ?? [])
    for (const { name: step = "", tasks } of steps ?? [])
      for (const task of tasks ?? []) {
        const path = [plan, phase, step, task].join(".");
        const prepared = prepare({ instance, version, consumed, plan, phase, step, task });
        switch (prepared.do) {
          case "apply":
          case "delete":
            for (const object of prepared.objects)
              objects.push({
                act: prepared.do,
                name: `${object.kind} ${object.metadata.name}`,
                task: path,
                object,
              });
            break;
          case "child":
            notes.push(
              `${path}: makes the Instance ${prepared.child.name} of ${prepared.child.operator}, which runs a plan of its own`,
            );
            break;
          case "pipe":
            notes.push(`${path}: ${pipeNote(prepared.pipe)}`);
            break;
          case "report":
            if (prepared.report.state === "done") notes.push(`${path}: touches nothing`);
            else faults.push(`${path}: ${prepared.report.message}`);
        }
      }
  return { objects, notes, faults };
}

const pipeNote = ({ pod, artifacts }: Pipe): string =>
  `runs the Pod ${pod.metadata.name} and makes ${artifacts.map(({ object }) => `${object.kind} ${object.metadata.name}`).join(", ")}`;
