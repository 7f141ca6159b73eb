import type { TaskSpec } from "../../kinds/index.ts";

/** A file of a Pipe task, and what is made of it. */
export type PipeFile = NonNullable<NonNullable<TaskSpec["pipe"]>[number]>;

/** The reason why a Pipe task cannot make this of a file, in words. */
export function pipeFault({ file = "", envFile = "", kind = "", key = "" }: PipeFile): string | undefined {
  const text = `{${file} ${envFile} ${kind} ${key}}`;
  if ((file === "") === (envFile === ""))
    return `pipe file ${text} must have either 'file' or 'envFile' field set but not both`;
  if (kind !== "Secret" && kind !== "ConfigMap")
    return `invalid pipe kind (must be Secret or ConfigMap): ${text}`;
  return /^[a-zA-Z0-9_-]+$/.test(key)
    ? undefined
    : `invalid pipe key (only letters, numbers and _ and - are allowed): ${text}`;
}

/** The reason why a Pipe task cannot run at all, in words. */
export function pipeTaskFault({ pipe }: TaskSpec): string | undefined {
  if ((pipe ?? []).length === 0) return "pipe task has an empty pipe files list";
  return (pipe ?? []).map(pipeFault).find((one) => one !== undefined);
}
