import type { KubeObject } from "../../../../shared/kube/object.ts";
import {
  type ApplyContext,
  type ApplyFault,
  type DeleteRecord,
  deleteMark,
  deletionOf,
  type Health,
  healthOf,
  merge,
} from "../apply/index.ts";
import { isJob, type Task, taskLabel } from "../graph/index.ts";
import { refusedTask, type UpdateError } from "./update-error.ts";

/**
 * The result of reading a task's object: the object, its absence, or the reason why it could not be read. `not yet`: in a cluster
 * that is being installed nothing is expected to be there, so it is only read where making it shows that it is.
 */
export type TaskRead =
  | { readonly read: "not yet" }
  | { readonly read: "object"; readonly live: KubeObject | undefined }
  | {
      readonly read: "failed";
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly status?: number | undefined;
      };
    };

/** The next step of a task, as far as can be told before anything is written. */
export type Step =
  /** It is as it shall be, and well. `deletion` is what to remember of an object that is to go. */
  | { readonly step: "done"; readonly deletion?: DeleteRecord }
  /** `unread`: nobody has looked whether it is there. */
  | { readonly step: "create"; readonly body: KubeObject; readonly unread?: boolean }
  | { readonly step: "replace"; readonly live: KubeObject; readonly body: KubeObject }
  | { readonly step: "delete"; readonly live: KubeObject; readonly deletion: DeleteRecord }
  /** It is as it shall be, and not well yet. */
  | { readonly step: "wait"; readonly message: string }
  /** `settled`: trying again soon would not help. `detail`: what the server, or the rule, said; conditions have no place for it. */
  | {
      readonly step: "fail";
      readonly error: UpdateError;
      readonly settled: boolean;
      readonly detail: string;
    };

export const isWrite = (step: Step): step is Extract<Step, { step: "create" | "replace" | "delete" }> =>
  step.step === "create" || step.step === "replace" || step.step === "delete";

/** The name under which a manifest's deletion is remembered. */
export const deletionKey = ({ manifest: { group, kind, namespace, name } }: Task): string =>
  `${kind.toLowerCase()}${group === "" ? "" : `.${group}`} "${namespace === "" ? name : `${namespace}/${name}`}"`;

/** Decides one task on what was read of it. */
export function stepOf(
  task: Task,
  found: TaskRead,
  { context, deletion }: { readonly context: ApplyContext; readonly deletion?: DeleteRecord | undefined },
): Step {
  const { object } = task.manifest;
  const mark = deleteMark(object);
  if (mark?.marked === false) return faulty(task, mark.fault);
  if (found.read === "failed") {
    // A kind that the server does not know has no objects.
    if (mark?.marked === true && found.error.code === "KUBE_KIND_MISSING") return { step: "done" };
    return {
      step: "fail",
      error: refusedTask(taskLabel(task), found.error.code, found.error.status),
      settled: false,
      detail: found.error.message,
    };
  }
  const live = found.read === "object" ? found.live : undefined;
  if (mark?.marked === true) return deletionStep(live, context, deletion);
  const write = merge(object, live, context);
  switch (write.write) {
    case "create":
      return { step: "create", body: write.body, ...(found.read === "not yet" && { unread: true }) };
    case "replace":
      return live === undefined ? { step: "done" } : { step: "replace", live, body: write.body };
    case "refused":
      return faulty(task, write.fault);
    case "none":
      return live === undefined ? { step: "done" } : healthStep(task, healthOf(live, context.mode));
  }
}

function deletionStep(
  live: KubeObject | undefined,
  { mode }: ApplyContext,
  record: DeleteRecord | undefined,
): Step {
  const told = deletionOf(live, { mode, record });
  switch (told.deletion) {
    case "request":
      return { step: "delete", live: told.live, deletion: told.record };
    case "left":
      return { step: "done" };
    case "gone":
    case "pending":
    case "reappeared":
      return { step: "done", ...(told.record !== undefined && { deletion: told.record }) };
  }
}

/** The step that follows from an object's health. */
export function healthStep(task: Task, health: Health): Extract<Step, { step: "done" | "wait" | "fail" }> {
  switch (health.health) {
    case "good":
      return { step: "done" };
    case "waiting":
      return { step: "wait", message: health.message };
    case "bad":
      return faulty(task, health.fault);
  }
}

const faulty = (task: Task, fault: ApplyFault): Extract<Step, { step: "fail" }> => ({
  step: "fail",
  error: faultOf(task, fault),
  settled: fault.reason !== undefined,
  detail: fault.message,
});

const faultOf = (task: Task, { reason, message, name }: ApplyFault): UpdateError =>
  reason === undefined
    ? refusedTask(taskLabel(task), "")
    : { effect: "Fail", reason, message, names: name === undefined ? [] : [name] };

const WELL = new Set(["apps/Deployment", "apps/DaemonSet", "apiextensions.k8s.io/CustomResourceDefinition"]);
/** True where the later tasks of the node have to wait for this one's health, once it is written. */
export const isWaitedFor = (task: Task): boolean =>
  isJob(task) || WELL.has(`${task.manifest.group}/${task.manifest.kind}`);
