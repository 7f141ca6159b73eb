import type { JobCondition, JobStatus } from "../../shared/kube/schema/jobs.ts";
import { withCondition } from "./conditions.ts";
import { isActive, isDeleting, isReady, type Job, type Pod, timeOf, uidOf } from "./objects.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { podOf } from "./template.ts";

interface Ending {
  readonly type: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** Runs the Job's pods until enough have succeeded or too many have failed. Gives the time at which to look again. */
export async function playJob(cluster: SimulatedCluster, job: Job): Promise<number | undefined> {
  if (isDeleting(job) || job.spec.managedBy) return undefined;
  const now = cluster.clock.now();
  const finished = finishedAt(job);
  if (finished !== undefined) return expire(cluster, job, finished, now);
  const { parallelism = 1, suspend, activeDeadlineSeconds } = job.spec;
  const pods = cluster.ownedBy(job, "Pod");
  const count = (phase: string): number => pods.filter(({ status }) => status?.phase === phase).length;
  // Pods that were removed by hand stay counted.
  const succeeded = Math.max(count("Succeeded"), job.status?.succeeded ?? 0);
  const failed = Math.max(count("Failed"), job.status?.failed ?? 0);
  const active = pods.filter(isActive);
  const startTime = suspend ? undefined : (job.status?.startTime ?? timeOf(now));
  const deadline =
    startTime === undefined || activeDeadlineSeconds === undefined
      ? undefined
      : Date.parse(startTime) + activeDeadlineSeconds * 1000;
  const ending = endingOf(
    job,
    { succeeded, failed, active: active.length },
    deadline !== undefined && deadline <= now,
  );
  const wanted = suspend || ending !== undefined ? 0 : Math.min(parallelism, remaining(job, succeeded));
  const running = await scale(cluster, job, active, wanted);
  const { startTime: _, ...before } = job.status ?? {};
  const status: JobStatus = {
    ...before,
    ...(startTime === undefined ? {} : { startTime }),
    active: running.length,
    ready: running.filter(isReady).length,
    succeeded,
    failed,
    terminating: 0,
    uncountedTerminatedPods: {},
    conditions: conditionsOf(job, ending, now),
    ...(ending?.type === "Complete" ? { completionTime: timeOf(now) } : {}),
  };
  const written = await cluster.setStatus("Job", cluster.get("Job", uidOf(job)) ?? job, status);
  if (ending !== undefined && written)
    await cluster.tell(
      job,
      ending.type === "Failed" ? "Warning" : "Normal",
      ending.type === "Failed" ? ending.reason : "Completed",
      ending.message,
    );
  return ending === undefined ? deadline : undefined;
}

/** The number of pods that must still succeed. Without `completions` the first success decides, and no new pods follow it. */
const remaining = ({ spec }: Job, succeeded: number): number =>
  spec.completions === undefined && spec.parallelism !== undefined
    ? succeeded > 0
      ? 0
      : Number.POSITIVE_INFINITY
    : (spec.completions ?? 1) - succeeded;

function endingOf(
  job: Job,
  pods: { succeeded: number; failed: number; active: number },
  late: boolean,
): Ending | undefined {
  if (remaining(job, pods.succeeded) <= 0 && (job.spec.completions !== undefined || pods.active === 0))
    return {
      type: "Complete",
      reason: "CompletionsReached",
      message: "Reached expected number of succeeded pods",
    };
  if (pods.failed > (job.spec.backoffLimit ?? 6))
    return {
      type: "Failed",
      reason: "BackoffLimitExceeded",
      message: "Job has reached the specified backoff limit",
    };
  if (late)
    return {
      type: "Failed",
      reason: "DeadlineExceeded",
      message: "Job was active longer than specified deadline",
    };
  return undefined;
}

function conditionsOf(job: Job, ending: Ending | undefined, now: number): JobCondition[] {
  let conditions: JobCondition[] = job.status?.conditions ?? [];
  const suspended = job.spec.suspend === true;
  if (suspended || conditions.some(({ type }) => type === "Suspended"))
    conditions = withCondition(
      conditions,
      suspended
        ? { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }
        : { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" },
      now,
    );
  if (ending === undefined) return conditions;
  const { type, reason, message } = ending;
  for (const one of [type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget", type])
    conditions = withCondition(conditions, { type: one, status: "True", reason, message }, now);
  return conditions;
}

/** Starts or ends pods; gives those that are active afterwards. */
async function scale(
  cluster: SimulatedCluster,
  job: Job,
  active: readonly Pod[],
  wanted: number,
): Promise<readonly Pod[]> {
  for (const pod of active.slice(wanted)) await cluster.delete("Pod", pod);
  const names = { "batch.kubernetes.io/job-name": job.metadata.name, "job-name": job.metadata.name };
  const uids = { "batch.kubernetes.io/controller-uid": uidOf(job), "controller-uid": uidOf(job) };
  for (let number = active.length; number < wanted; number++) {
    const name = `${job.metadata.name}-${cluster.suffix(job)}`;
    const made = await cluster.create("Pod", podOf(job, job.spec.template, name, { ...names, ...uids }));
    if (made !== undefined) await cluster.tell(job, "Normal", "SuccessfulCreate", `Created pod: ${name}`);
  }
  return cluster.ownedBy(job, "Pod").filter(isActive);
}

function finishedAt({ status }: Job): number | undefined {
  const condition = status?.conditions?.find(
    ({ type, status: value }) => (type === "Complete" || type === "Failed") && value === "True",
  );
  return condition === undefined ? undefined : Date.parse(condition.lastTransitionTime ?? "");
}

async function expire(
  cluster: SimulatedCluster,
  job: Job,
  finished: number,
  now: number,
): Promise<number | undefined> {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined) return undefined;
  const due = finished + ttlSecondsAfterFinished * 1000;
  if (due > now) return due;
  await cluster.delete("Job", job);
  return undefined;
}
