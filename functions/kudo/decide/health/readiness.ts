import { fieldOf } from "../../../../shared/json/fields.ts";
import { MADE_BY } from "../../kinds/workloads.ts";
import type { Readiness } from "../status/index.ts";
import { type Live, type Verdict, verdictOn } from "./health.ts";

/** An object with this annotation says nothing of its Instance's readiness. */
const SKIP = "kudo.dev/skip-for-readiness-computation";

/** True for what another workload made, which tells of it: one by whose labels it is known, or one of these. */
function isToldOf(
  { metadata: { labels = {}, ownerReferences = [] } }: Live,
  uids: ReadonlySet<unknown>,
): boolean {
  return (
    Object.values(MADE_BY).some((label) => labels[label] !== undefined) ||
    ownerReferences.some(({ controller, uid }) => controller === true && uids.has(uid))
  );
}

const counts = ({ kind, metadata, status }: Live): boolean => {
  if (metadata.annotations?.[SKIP] === "true" || metadata.deletionTimestamp !== undefined) return false;
  const isOfJob = (metadata.ownerReferences ?? []).some((owner) => owner.kind === "Job");
  return kind !== "Pod" || (!isOfJob && fieldOf(status, "phase") !== "Succeeded");
};

/** A ReplicaSet is as it was applied, which ends a step; while nothing runs it speaks for its pods. */
function verdictAtRest(object: Live): Verdict {
  if (object.kind !== "ReplicaSet") return verdictOn(object);
  const wanted = Number(fieldOf(object.spec, "replicas") ?? 1);
  const available = Number(fieldOf(object.status, "availableReplicas") ?? 0);
  const message = `replicaset ${object.metadata.name}: ${available} of ${wanted} pods available`;
  return available >= wanted ? { state: "healthy" } : { state: "waiting", message };
}

/** The readiness of an Instance: all of its workloads are healthy. */
export function readinessOf(workloads: readonly Live[]): Readiness {
  const uids = new Set(workloads.map(({ metadata }) => metadata.uid));
  const messages = workloads
    .filter((object) => counts(object) && !isToldOf(object, uids))
    .flatMap((object) => {
      const verdict = verdictAtRest(object);
      return verdict.state === "healthy" ? [] : [verdict.message];
    })
    .toSorted();
  return { ready: messages.length === 0, message: messages.join(", ") };
}
