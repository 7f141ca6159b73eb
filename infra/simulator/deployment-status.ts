import type { DeploymentCondition, DeploymentStatus } from "../../shared/kube/schema/workloads.ts";
import { withCondition } from "./conditions.ts";
import { type Deployment, type ReplicaSet, timeOf } from "./objects.ts";
import { bounds, sum } from "./rollout.ts";

/** The status that follows from the Deployment's ReplicaSets, in the words of the real controller. */
export function deploymentStatus(
  deployment: Deployment,
  fresh: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: number,
): DeploymentStatus {
  const { spec, metadata } = deployment;
  const live = deployment.status ?? {};
  const { replicas: wanted = 1 } = spec;
  const replicas = sum(all.map(({ status }) => status?.replicas ?? 0));
  const availableReplicas = sum(all.map(({ status }) => status?.availableReplicas ?? 0));
  const counts = {
    replicas,
    updatedReplicas: fresh?.status?.replicas ?? 0,
    readyReplicas: sum(all.map(({ status }) => status?.readyReplicas ?? 0)),
    availableReplicas,
    unavailableReplicas: Math.max(0, Math.max(wanted, replicas) - availableReplicas),
  };
  const enough = availableReplicas >= wanted - bounds(spec).unavailable;
  let conditions = withUpdate(
    live.conditions ?? [],
    enough
      ? {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
        }
      : {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
    now,
  );
  const progress = progressing(deployment, fresh, counts, now);
  if (progress !== undefined) conditions = withUpdate(conditions, progress, now, advanced(live, counts));
  const failure = (fresh ?? all.at(-1))?.status?.conditions?.find(({ type }) => type === "ReplicaFailure");
  conditions = conditions.filter(({ type }) => type !== "ReplicaFailure" || failure !== undefined);
  if (failure !== undefined)
    conditions = withUpdate(conditions, { ...failure, lastTransitionTime: undefined }, now);
  return { ...live, ...counts, conditions, observedGeneration: metadata.generation };
}

type Counts = Pick<DeploymentStatus, "replicas" | "updatedReplicas" | "readyReplicas" | "availableReplicas">;
type Wanted = Pick<DeploymentCondition, "type" | "status" | "reason" | "message">;

/** The condition Progressing, or undefined where the rollout is over and only the number of pods moves. */
function progressing(
  deployment: Deployment,
  fresh: ReplicaSet | undefined,
  counts: Counts,
  now: number,
): Wanted | undefined {
  const { spec, status } = deployment;
  const live = status?.conditions?.find(({ type }) => type === "Progressing");
  if (spec.paused)
    return {
      type: "Progressing",
      status: "Unknown",
      reason: "DeploymentPaused",
      message: "Deployment is paused",
    };
  if (fresh === undefined) return undefined;
  const { replicas: wanted = 1 } = spec;
  const name = fresh.metadata.name;
  const say = (reason: string, message: string, value = "True"): Wanted => ({
    type: "Progressing",
    status: value,
    reason,
    message,
  });
  if (
    counts.updatedReplicas === wanted &&
    counts.replicas === wanted &&
    counts.availableReplicas === wanted &&
    fresh.spec.replicas === wanted
  )
    return say("NewReplicaSetAvailable", `ReplicaSet "${name}" has successfully progressed.`);
  const sameRollout = live?.message?.includes(`"${name}"`) === true;
  if (live?.reason === "NewReplicaSetAvailable" && sameRollout) return undefined;
  if (live === undefined || !sameRollout)
    return say("NewReplicaSetCreated", `Created new replica set "${name}"`);
  if (advanced(status ?? {}, counts)) return say("ReplicaSetUpdated", `ReplicaSet "${name}" is progressing.`);
  const deadline = progressDeadline(deployment);
  if (deadline !== undefined && deadline <= now)
    return say("ProgressDeadlineExceeded", `ReplicaSet "${name}" has timed out progressing.`, "False");
  return undefined;
}

/** The time at which a rollout that does not get on counts as failed; undefined while none is under way. */
export function progressDeadline({ spec, status }: Deployment): number | undefined {
  const live = status?.conditions?.find(({ type }) => type === "Progressing");
  if (
    live?.lastUpdateTime === undefined ||
    live.status !== "True" ||
    live.reason === "NewReplicaSetAvailable" ||
    spec.paused
  )
    return undefined;
  return Date.parse(live.lastUpdateTime) + (spec.progressDeadlineSeconds ?? 600) * 1000;
}

/** More new, ready or available pods than before, or fewer old ones. */
function advanced(before: DeploymentStatus, counts: Counts): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: Counts): number => replicas - updatedReplicas;
  return (
    (counts.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    (counts.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (counts.availableReplicas ?? 0) > (before.availableReplicas ?? 0) ||
    old(counts) < old(before)
  );
}

/**
 * Sets a condition like `withCondition`, with the update time that moves whenever the condition says something else, or on
 * `touch`.
 */
function withUpdate(
  conditions: readonly DeploymentCondition[],
  wanted: Wanted & Partial<DeploymentCondition>,
  now: number,
  touch = false,
): DeploymentCondition[] {
  const { type, status, reason, message } = wanted;
  const before = conditions.find((condition) => condition.type === type);
  const same =
    before?.status === status && before?.reason === reason && before?.message === message && !touch;
  const lastUpdateTime = same ? before?.lastUpdateTime : timeOf(now);
  return withCondition(conditions, { type, status, reason, message, lastUpdateTime }, now);
}
