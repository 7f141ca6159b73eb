import type { OperatorVersionSpec } from "../../../functions/kudo/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";

/** A plan of a measure: its steps run one after the other, the tasks of a step beside one another, the objects of a task in order. */
export interface PlanShape {
  /** The name of the operator's version. */
  readonly name: string;
  readonly steps: number;
  readonly tasks: number;
  readonly objects: number;
}

/** Two hundred objects in twenty steps. */
export const ONE_TASK: PlanShape = { name: "one-task", steps: 20, tasks: 1, objects: 10 };
export const TEN_TASKS: PlanShape = { name: "ten-tasks", steps: 20, tasks: 10, objects: 1 };
/** A plan of which many run at once. */
export const SMALL: PlanShape = { name: "small", steps: 5, tasks: 1, objects: 2 };
/** An operator whose plan deletes a ConfigMap, and waits until it is gone. */
export const DELETING: { readonly name: string; readonly spec: OperatorVersionSpec } = {
  name: "deleting",
  spec: {
    operator: { name: "deleting" },
    version: "1.0.0",
    templates: { "kept.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-kept\n" },
    tasks: [{ name: "kept", kind: "Delete", spec: { resources: ["kept.yaml"] } }],
    plans: {
      deploy: {
        strategy: "serial",
        phases: [{ name: "main", strategy: "serial", steps: [{ name: "gone", tasks: ["kept"] }] }],
      },
    },
  },
};
/** Those that apply, by the names of their versions. */
export const SHAPES: ReadonlyMap<string, PlanShape> = new Map(
  [ONE_TASK, TEN_TASKS, SMALL].map((shape) => [shape.name, shape]),
);

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const taskName = (step: number, task: number): string => `task-${step}-${task}`;
const objectName = (step: number, task: number, object: number): string => `${step}-${task}-${object}`;

/** A ConfigMap, which is healthy as soon as it is there. */
const template = (name: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-${name}
data:
  plan: {{ .PlanName }}
  size: "{{ .Params.SIZE }}"
`;

/** An operator with a plan of that shape. */
export function operatorOf({ steps, tasks, objects, name }: PlanShape): OperatorVersionSpec {
  const all = numbers(steps).flatMap((step) => numbers(tasks).map((task) => ({ step, task })));
  return {
    operator: { name },
    version: "1.0.0",
    parameters: [{ name: "SIZE", default: "1" }],
    templates: Object.fromEntries(
      all.map(({ step, task }) => [
        `${taskName(step, task)}.yaml`,
        numbers(objects)
          .map((object) => template(objectName(step, task, object)))
          .join("---\n"),
      ]),
    ),
    tasks: all.map(({ step, task }) => ({
      name: taskName(step, task),
      kind: "Apply",
      spec: { resources: [`${taskName(step, task)}.yaml`] },
    })),
    plans: {
      deploy: {
        strategy: "serial",
        phases: [
          {
            name: "main",
            strategy: "serial",
            steps: numbers(steps).map((step) => ({
              name: stepName(step),
              tasks: [...taskNames({ tasks }, step)],
            })),
          },
        ],
      },
    },
  };
}

export const stepName = (step: number): string => `step-${step}`;
/** The names of the tasks of a step. */
export const taskNames = ({ tasks }: Pick<PlanShape, "tasks">, step: number): readonly string[] =>
  numbers(tasks).map((task) => taskName(step, task));

/** The objects of a step as the operator renders and marks them, by task. */
export function objectsOf(
  { tasks, objects, name: operator }: PlanShape,
  step: number,
  instance: KubeObject,
): readonly (readonly KubeObject[])[] {
  const { name, namespace, uid } = instance.metadata;
  const owner = { apiVersion: instance.apiVersion, kind: instance.kind, name, uid, controller: true };
  const marks = {
    heritage: "bare",
    "bench.example.org/operator": operator,
    "bench.example.org/instance": name,
  };
  const annotations = {
    "bench.example.org/plan": "deploy",
    "bench.example.org/phase": "main",
    "bench.example.org/step": stepName(step),
  };
  return numbers(tasks).map((task) =>
    numbers(objects).map((object) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: `${name}-${objectName(step, task, object)}`,
        namespace,
        labels: marks,
        annotations,
        ownerReferences: [owner],
      } as unknown as KubeObject["metadata"],
      data: { plan: "deploy", size: "1" },
    })),
  );
}
