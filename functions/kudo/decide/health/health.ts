import { fieldOf, fieldsOf, isEmpty, listOf, textOf } from "../../../../shared/json/fields.ts";
import { type Health, healthOf, type Statement } from "../../../../shared/kube/health/index.ts";
import { parseApiVersion, type RawMetadata } from "../../../../shared/kube/object.ts";

/** The part of an object that a verdict rests on: any fits, typed or not. */
export interface Live {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Pick<
    RawMetadata,
    "name" | "uid" | "labels" | "generation" | "deletionTimestamp" | "annotations" | "ownerReferences"
  >;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** The health of an object in a plan's words: a step is not complete before all of its objects are healthy. */
export type Verdict =
  | { readonly state: "healthy" }
  /** Not yet: it may become so by waiting. */
  | { readonly state: "waiting"; readonly message: string }
  /** It will not, by waiting. */
  | { readonly state: "failed"; readonly message: string };

const HEALTHY: Verdict = { state: "healthy" };
const nameOf = ({ kind, metadata }: Live): string => `${kind.toLowerCase()} ${metadata.name}`;
const waiting = (object: Live, why: string): Verdict => ({
  state: "waiting",
  message: `${nameOf(object)}: ${why}`,
});
const failed = (object: Live, why: string): Verdict => ({
  state: "failed",
  message: `${nameOf(object)}: ${why}`,
});

/** The readers of kinds that say more than their own status does, or of whose status nothing is known elsewhere. */
const READERS: Readonly<Record<string, (object: Live) => Verdict>> = {
  "/Namespace": (object) => {
    const phase = textOf(fieldOf(object.status, "phase"));
    return phase === "Active" ? HEALTHY : waiting(object, phase === "" ? "is not active" : `is ${phase}`);
  },
  "/Service": service,
};

/** The health of an object that a plan applied (section 3). */
export function verdictOn(object: Live): Verdict {
  const { group } = parseApiVersion(object.apiVersion);
  const reader = READERS[`${group}/${object.kind}`];
  if (reader !== undefined) return reader(object);
  const health = healthOf(object);
  return health === undefined ? byCondition(object) : worded(object, health);
}

function service(object: Live): Verdict {
  const spec = fieldsOf(object.spec);
  if (spec.type === "ExternalName") return HEALTHY;
  if (textOf(spec.clusterIP) === "") return waiting(object, "has no cluster IP");
  if (spec.type !== "LoadBalancer") return HEALTHY;
  const ingress = fieldOf(fieldOf(object.status, "loadBalancer"), "ingress");
  return isEmpty(spec.externalIPs ?? []) && isEmpty(ingress ?? [])
    ? waiting(object, "waits for an address of its load balancer")
    : HEALTHY;
}

/** A kind of which nothing is known says by its condition Ready that it is not; without one it is as it was applied. */
function byCondition(object: Live): Verdict {
  const said = listOf(fieldOf(object.status, "conditions")).find((one) => fieldOf(one, "type") === "Ready");
  if (said === undefined || fieldOf(said, "status") !== "False") return HEALTHY;
  return waiting(
    object,
    textOf(fieldOf(said, "message")) || textOf(fieldOf(said, "reason")) || "is not ready",
  );
}

/** The failures that time does not heal: a controller that could not go on for another reason may go on later. */
const FATAL: ReadonlySet<string> = new Set(["Failed", "ProgressDeadlineExceeded"]);

function worded(object: Live, health: Health): Verdict {
  if (health.state === "ready") return HEALTHY;
  const why = [counted(object), ...health.said.map(told)].filter((text) => text !== "").join("; ");
  const isFatal =
    health.state === "failed" &&
    (FATAL.has(health.why) || health.said.some(({ reason }) => reason === "ProgressDeadlineExceeded"));
  return isFatal ? failed(object, why || health.why) : waiting(object, why || inWords(health.why));
}
const inWords = (why: string): string => why.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
const told = ({ reason, message }: Statement): string => message || reason;

const number = (from: unknown, field: string): number => {
  const value = fieldOf(from, field);
  return typeof value === "number" ? value : 0;
};

/** The progress of pods, where they can be counted. */
function counted({ kind, spec, status }: Live): string {
  const wanted = typeof fieldOf(spec, "replicas") === "number" ? number(spec, "replicas") : 1;
  switch (kind) {
    case "Deployment":
      return `${number(status, "availableReplicas")} of ${wanted} pods available, ${number(status, "updatedReplicas")} updated`;
    case "StatefulSet":
      return `${number(status, "readyReplicas")} of ${wanted} pods ready`;
    case "DaemonSet":
      return `${number(status, "numberAvailable")} of ${number(status, "desiredNumberScheduled")} pods available`;
    default:
      return "";
  }
}
