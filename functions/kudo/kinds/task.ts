import * as z from "zod";

/** The kinds of a task that there are. */
export const TASK_KINDS = ["Apply", "Delete", "Dummy", "Pipe", "Toggle", "KudoOperator"] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

const pipe = z.object({
  file: z.string().describe("A file of the Pod that becomes one key.").optional(),
  envFile: z.string().describe("A file of lines KEY=VALUE, each of which becomes a key.").optional(),
  kind: z.string().describe("What is made of it: a Secret or a ConfigMap.").optional(),
  key: z.string().describe("Its name, as templates say it: .Pipes.KEY.").optional(),
});

/** The fields of all kinds of task, as upstream keeps them: in one flat map. */
const taskSpec = z.object({
  resources: z
    .array(z.string())
    .nullable()
    .describe("Apply, Delete, Toggle: the templates of the objects.")
    .optional(),
  parameter: z.string().describe("Toggle: the parameter that decides.").optional(),
  wantErr: z.boolean().describe("Dummy: fail.").optional(),
  fatal: z.boolean().describe("Dummy: fail for good.").optional(),
  done: z.boolean().describe("Dummy: be done. Else it never is.").optional(),
  pod: z.string().describe("Pipe: the template of the Pod.").optional(),
  pipe: z.array(pipe).nullable().describe("Pipe: the files, and what is made of them.").optional(),
  package: z.string().describe("KudoOperator: the operator's name.").optional(),
  instanceName: z.string().describe("KudoOperator: the name of the Instance that is made.").optional(),
  appVersion: z.string().describe("KudoOperator: the version of the application.").optional(),
  operatorVersion: z.string().describe("KudoOperator: the version of the operator.").optional(),
  parameterFile: z.string().describe("KudoOperator: the template of its parameters.").optional(),
});
/** The fields of a task. */
export type TaskSpec = z.output<typeof taskSpec>;

/** The schema of a task. Which kinds there are is told when it runs: one that is unknown is fatal to its plan alone. */
export const task = z.object({
  name: z.string().describe("Its name, as steps say it.").optional(),
  kind: z.string().describe("Apply, Delete, Dummy, Pipe, Toggle or KudoOperator.").optional(),
  spec: taskSpec.optional(),
});
/** A task that an OperatorVersion declares. */
export type Task = z.output<typeof task>;
