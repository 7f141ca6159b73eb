import {
  type Health,
  isObserved,
  isOutdated,
  numberOf,
  type Readable,
  ready,
  type Statement,
  statementOf,
  unready,
  wantedOf,
} from "./health.ts";

/** The reading of a Deployment's status, of any generation. */
export interface DeploymentReading {
  readonly isOutdated: boolean;
  /** Every pod is of the present template, and available: as `kubectl rollout status` asks it. */
  readonly isRolledOut: boolean;
  /** The number of pods that it is to have. */
  readonly wanted: number;
  readonly available: Statement | undefined;
  readonly progressing: Statement | undefined;
  readonly replicaFailure: Statement | undefined;
}

/** Reads no more of it than it is asked for: a decision rests on that alone. */
export const readDeployment = (live: Readable): DeploymentReading => ({
  get isOutdated() {
    return isOutdated(live);
  },
  get isRolledOut() {
    const { status } = live;
    const updated = numberOf(status, "updatedReplicas");
    return (
      isObserved(live) &&
      updated >= this.wanted &&
      numberOf(status, "replicas") <= updated &&
      numberOf(status, "availableReplicas") >= updated
    );
  },
  get wanted() {
    return wantedOf(live.spec, "replicas", 1);
  },
  get available() {
    return statementOf(live, "Available");
  },
  get progressing() {
    return statementOf(live, "Progressing");
  },
  get replicaFailure() {
    return statementOf(live, "ReplicaFailure");
  },
});

export function deploymentHealth(live: Readable): Health {
  const { available, progressing, replicaFailure, ...is } = readDeployment(live);
  if (is.isOutdated) return unready(live, "progressing", "Outdated");
  if (replicaFailure?.status === "True") return unready(live, "failed", "ReplicaFailure", replicaFailure);
  if (available?.status === "False" && progressing?.status === "False")
    return unready(live, "failed", "Unavailable", available, progressing);
  if (progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded")
    return unready(live, "failed", "ProgressDeadlineExceeded", progressing);
  return is.isRolledOut ? ready(live) : unready(live, "progressing", "RollingOut", available, progressing);
}
