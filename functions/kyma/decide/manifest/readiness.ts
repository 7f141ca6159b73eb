import { later, type Time } from "../../../../shared/function/index.ts";
import { fieldOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import { healthOf, readDeployment } from "../../../../shared/kube/health/index.ts";
import type { ManifestStatus } from "./status.ts";

/** An object of a runtime, as far as its health goes. */
export interface Judged {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly generation: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string | undefined;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** The verdict on the operator of a module. */
export type Readiness =
  | { readonly state: "Ready" }
  | {
      readonly state: "Processing" | "Error";
      readonly message: string;
      /** The time from which the same status means an error. */
      readonly until?: Time;
    };

/** A workload that nobody has looked at yet is given so much time. */
const UNOBSERVED = "60s";
/** The reasons of a Deployment that is being rolled out. */
const ROLLING = ["FoundNewReplicaSet", "NewReplicaSetCreated", "ReplicaSetUpdated"];
const DONE = "NewReplicaSetAvailable";

const READY: Readiness = { state: "Ready" };
const processing = (message: string): Readiness => ({ state: "Processing", message });

/** The state of a Manifest that was told before. */
type Told = Pick<ManifestStatus, "state" | "lastOperation"> | undefined;

/**
 * The state that an operator gives its module.
 * @param pods those of a StatefulSet
 */
export function readinessOf(
  live: Judged,
  pods: readonly Pick<Judged, "status">[],
  told: Told,
  now: Time,
): Readiness {
  if (live.metadata.deletionTimestamp !== undefined) return processing(`${nameOf(live)} is being deleted`);
  if (live.apiVersion === "apps/v1" && live.kind === "Deployment")
    return deploymentReadiness(live, told, now);
  if (live.apiVersion === "apps/v1" && live.kind === "StatefulSet")
    return statefulSetReadiness(live, pods, told, now);
  const health = healthOf(live);
  if (health === undefined || health.state === "ready") return READY;
  const message = `${nameOf(live)} is not ready: ${health.said[0]?.message || health.why}`;
  return { state: health.state === "failed" ? "Error" : "Processing", message };
}

const nameOf = ({ kind, metadata }: Judged): string => `${kind} ${metadata.name}`;

function deploymentReadiness(live: Judged, told: Told, now: Time): Readiness {
  const { isOutdated, available, progressing } = readDeployment(live);
  if (isOutdated) return processing(`${nameOf(live)} has yet to be looked at`);
  if (available === undefined && progressing === undefined)
    return unobserved(live, told, now, "it has no conditions");
  const isAvailable = available?.status === "True";
  const { status, reason = "", message = "" } = progressing ?? {};
  if (status === "True" && reason === DONE)
    return isAvailable ? READY : processing(`${nameOf(live)} is not available: ${available?.message ?? ""}`);
  if (status === "True" && ROLLING.includes(reason))
    return processing(`${nameOf(live)} is being rolled out: ${message}`);
  return {
    state: "Error",
    message: `${nameOf(live)} is not ready: ${message || available?.message || reason}`,
  };
}

function statefulSetReadiness(
  live: Judged,
  pods: readonly Pick<Judged, "status">[],
  told: Told,
  now: Time,
): Readiness {
  const wanted = fieldOf(live.spec, "replicas") ?? 1;
  const isObserved = fieldOf(live.status, "observedGeneration") === live.metadata.generation;
  if (isObserved && (fieldOf(live.status, "readyReplicas") ?? 0) === wanted) return READY;
  if (pods.some(hasStarted)) return processing(`${nameOf(live)} is starting`);
  return unobserved(live, told, now, pods.length === 0 ? "it has no pods" : "no container of it has started");
}

/** True for a pod whose first container runs, or ran. */
const hasStarted = (pod: Pick<Judged, "status">): boolean =>
  fieldOf(listOf(fieldOf(pod.status, "containerStatuses"))[0], "started") === true;

/**
 * Just made, a workload has nothing to show: only after a while that is an error. Where the runtime's clock is ahead, the time counts from
 * when this was first told.
 */
function unobserved(live: Judged, told: Told, now: Time, why: string): Readiness {
  const message = `${nameOf(live)}: ${why}`;
  const made = textOf(live.metadata.creationTimestamp) as Time;
  const isAhead = Date.parse(made) > Date.parse(now);
  const { operation, lastUpdateTime } = told?.lastOperation ?? {};
  const before = isAhead && operation === message ? told?.state : undefined;
  const first = (before === "Processing" ? lastUpdateTime : undefined) ?? now;
  const until = later(isAhead ? first : made, UNOBSERVED);
  return before !== "Error" && Date.parse(now) < Date.parse(until)
    ? { state: "Processing", message, until }
    : { state: "Error", message };
}
