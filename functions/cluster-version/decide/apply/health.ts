import {
  healthOf as healthRead,
  type Health as ReadHealth,
  type Statement,
} from "../../../../shared/kube/health/index.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import type { Mode } from "../graph/index.ts";
import type { ApplyFault, Health } from "./verdict.ts";

type Unready = Exclude<ReadHealth, { state: "ready" }>;

const GOOD: Health = { health: "good" };
const bad = (fault: ApplyFault): Health => ({ health: "bad", fault });
const NOTHING: Statement = { status: "", reason: "", message: "" };

const nameOf = ({ metadata }: KubeObject): string =>
  metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;

/** The fault of a Deployment. A rollout under way is none: the operator that owns it reports on it. */
function deploymentFault(
  live: KubeObject,
  { state, why, said: [first = NOTHING, second = NOTHING] }: Unready,
): Health {
  if (state !== "failed") return GOOD;
  const name = nameOf(live);
  switch (why) {
    case "ReplicaFailure":
      return bad({
        reason: "WorkloadNotProgressing",
        message: `deployment ${name} has a replica failure ${first.reason}: ${first.message}`,
        name,
      });
    case "Unavailable":
      return bad({
        reason: "WorkloadNotAvailable",
        message: `deployment ${name} is not available ${first.reason} (${first.message}) or progressing ${second.reason} (${second.message})`,
        name,
      });
    default:
      return bad({
        reason: "WorkloadNotProgressing",
        message: `deployment ${name} is Progressing=False: ${first.reason}: ${first.message}`,
        name,
      });
  }
}

function definitionFault({ metadata: { name } }: KubeObject, { why, said: [established] }: Unready): Health {
  if (established !== undefined)
    return bad({
      message: `CustomResourceDefinition ${name} Established=${established.status}, ${established.reason}: ${established.message}`,
    });
  const message = `CustomResourceDefinition ${name} does not declare an Established status condition`;
  return why === "Unobserved" ? { health: "waiting", message } : bad({ message });
}

/** The health of a Job. The tasks after it start when it has succeeded; a Job that has failed for good stops them. */
const jobFault = (live: KubeObject, { state, said: [failed = NOTHING] }: Unready): Health =>
  state === "failed"
    ? bad({
        message: `deadline exceeded, reason: ${JSON.stringify(failed.reason)}, message: ${JSON.stringify(failed.message)}`,
      })
    : { health: "waiting", message: `job ${nameOf(live)} has not completed yet` };

/** The health that upstream asks of each kind beyond its being written; other kinds have none of their own. */
const FAULTS: Readonly<Record<string, (live: KubeObject, health: Unready) => Health>> = {
  "apps/Deployment": deploymentFault,
  "apps/DaemonSet": () => GOOD,
  "apiextensions.k8s.io/CustomResourceDefinition": definitionFault,
  "batch/Job": jobFault,
};
/** The kinds of which an object that is being deleted is at fault, in any status. */
const KEPT: Readonly<Record<string, string>> = {
  "apps/Deployment": "deployment",
  "apps/DaemonSet": "daemonset",
};

/** The health of a manifest's object once it is written. During an installation nobody asks. */
export function healthOf(live: KubeObject, mode: Mode): Health {
  const kind = `${parseApiVersion(live.apiVersion).group}/${live.kind}`;
  const read = mode === "Initializing" ? undefined : healthRead(live);
  if (read === undefined) return GOOD;
  const kept = KEPT[kind];
  if (kept !== undefined && read.deleting)
    return bad({ message: `${kept} ${nameOf(live)} is being deleted` });
  return read.state === "ready" ? GOOD : (FAULTS[kind]?.(live, read) ?? GOOD);
}
