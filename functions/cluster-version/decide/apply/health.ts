import { fieldOf, isRecord, listOf, textOf } from "../../../../shared/json/fields.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import type { Mode } from "../graph/index.ts";
import type { ApplyFault, Health } from "./verdict.ts";

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const GOOD: Health = { health: "good" };
const bad = (fault: ApplyFault): Health => ({ health: "bad", fault });

function conditionOf(status: unknown, type: string): Condition | undefined {
  const found = listOf(fieldOf(status, "conditions")).find((one) => fieldOf(one, "type") === type);
  return isRecord(found)
    ? { status: textOf(found.status), reason: textOf(found.reason), message: textOf(found.message) }
    : undefined;
}

const nameOf = ({ metadata }: KubeObject): string =>
  metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Conditions that tell of a generation before this one say nothing about it. */
const isOutdated = (live: KubeObject): boolean => {
  const observed = fieldOf(live.status, "observedGeneration");
  return typeof observed === "number" && observed < (live.metadata.generation ?? 0);
};

function deploymentHealth(live: KubeObject): Health {
  const name = nameOf(live);
  if (live.metadata.deletionTimestamp !== undefined)
    return bad({ message: `deployment ${name} is being deleted` });
  if (isOutdated(live)) return GOOD;
  const failure = conditionOf(live.status, "ReplicaFailure");
  const available = conditionOf(live.status, "Available");
  const progressing = conditionOf(live.status, "Progressing");
  if (failure?.status === "True")
    return bad({
      reason: "WorkloadNotProgressing",
      message: `deployment ${name} has a replica failure ${failure.reason}: ${failure.message}`,
      name,
    });
  if (available?.status === "False" && progressing?.status === "False")
    return bad({
      reason: "WorkloadNotAvailable",
      message: `deployment ${name} is not available ${available.reason} (${available.message}) or progressing ${progressing.reason} (${progressing.message})`,
      name,
    });
  if (progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded")
    return bad({
      reason: "WorkloadNotProgressing",
      message: `deployment ${name} is Progressing=False: ${progressing.reason}: ${progressing.message}`,
      name,
    });
  return GOOD;
}

const daemonSetHealth = (live: KubeObject): Health =>
  live.metadata.deletionTimestamp === undefined
    ? GOOD
    : bad({ message: `daemonset ${nameOf(live)} is being deleted` });

/** Just made, it has no conditions yet: the server writes them within moments. */
function definitionHealth(live: KubeObject): Health {
  const { name } = live.metadata;
  const established = conditionOf(live.status, "Established");
  if (established?.status === "True") return GOOD;
  if (established !== undefined)
    return bad({
      message: `CustomResourceDefinition ${name} Established=${established.status}, ${established.reason}: ${established.message}`,
    });
  const message = `CustomResourceDefinition ${name} does not declare an Established status condition`;
  return listOf(fieldOf(live.status, "conditions")).length === 0
    ? { health: "waiting", message }
    : bad({ message });
}

/** What follows a Job starts when it has succeeded; a Job that has failed for good stops it. */
function jobHealth(live: KubeObject): Health {
  const { spec, status } = live;
  const wanted = numberOf(fieldOf(spec, "completions")) || 1;
  if (conditionOf(status, "Complete")?.status === "True" || numberOf(fieldOf(status, "succeeded")) >= wanted)
    return GOOD;
  const failed = conditionOf(status, "Failed");
  if (failed?.status !== "True")
    return { health: "waiting", message: `job ${nameOf(live)} has not completed yet` };
  return bad({
    message: `deadline exceeded, reason: ${JSON.stringify(failed.reason)}, message: ${JSON.stringify(failed.message)}`,
  });
}

const HEALTH: Readonly<Record<string, (live: KubeObject) => Health>> = {
  "apps/Deployment": deploymentHealth,
  "apps/DaemonSet": daemonSetHealth,
  "apiextensions.k8s.io/CustomResourceDefinition": definitionHealth,
  "batch/Job": jobHealth,
};

/** How the object of a manifest fares once it is written. During an installation nobody asks. */
export function healthOf(live: KubeObject, mode: Mode): Health {
  if (mode === "Initializing") return GOOD;
  const { group } = parseApiVersion(live.apiVersion);
  return HEALTH[`${group}/${live.kind}`]?.(live) ?? GOOD;
}
