import type { OperatorVersionSpec, Parameter, Phase, Plan, Strategy, Task } from "../kinds/index.ts";

/** A step of a plan: its name, and its tasks. */
export type StepWords = `${string}: ${string}` | `${string}:`;

/** A phase with these steps, `nodes: first second`. */
export const phase = (name: string, strategy: Strategy, ...steps: readonly StepWords[]): Phase => ({
  name,
  strategy,
  steps: steps.map((words) => {
    const [step = "", tasks = ""] = words.split(":");
    return {
      name: step,
      tasks: tasks
        .trim()
        .split(" ")
        .filter((task) => task !== ""),
    };
  }),
});
/** A plan of one serial phase. */
export const plan = (...steps: readonly StepWords[]): Plan => ({
  strategy: "serial",
  phases: [phase("main", "serial", ...steps)],
});
export const apply = (name: string, ...resources: readonly string[]): Task => ({
  name,
  kind: "Apply",
  spec: { resources: [...resources] },
});
export const remove = (name: string, ...resources: readonly string[]): Task => ({
  name,
  kind: "Delete",
  spec: { resources: [...resources] },
});
export const dummy = (name: string, spec: Task["spec"] = { done: true }): Task => ({
  name,
  kind: "Dummy",
  ...(spec !== undefined && { spec }),
});

/** A ConfigMap that holds the parameters, and which plan wrote it. */
export const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-config
data:
  plan: {{ .PlanName }}
  size: "{{ .Params.SIZE }}"
  color: "{{ .Params.COLOR }}"
`;
/** A StatefulSet of SIZE pods. */
export const NODES = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}
spec:
  serviceName: {{ .Name }}
  replicas: {{ .Params.SIZE }}
  selector:
    matchLabels: {app: {{ .Name }}}
  template:
    metadata:
      labels: {app: {{ .Name }}}
    spec:
      containers:
      - name: main
        image: "example.org/db:{{ .AppVersion }}"
        envFrom:
        - configMapRef: {name: {{ .Name }}-config}
`;
export const PARAMETERS: readonly Parameter[] = [
  { name: "SIZE", default: "1", trigger: "scale" },
  { name: "COLOR", default: "red" },
  { name: "KEEP", default: "7", trigger: "backup" },
];

/** An operator with the plans that most scenarios need. */
export const DATABASE: OperatorVersionSpec = {
  operator: { name: "pgmini" },
  version: "0.3.0",
  appVersion: "14.2",
  parameters: [...PARAMETERS],
  templates: { "config.yaml": CONFIG, "nodes.yaml": NODES },
  tasks: [apply("config", "config.yaml"), apply("nodes", "nodes.yaml"), dummy("copy")],
  plans: {
    deploy: plan("config: config", "nodes: nodes"),
    scale: plan("nodes: config nodes"),
    backup: plan("copy: copy"),
  },
};
