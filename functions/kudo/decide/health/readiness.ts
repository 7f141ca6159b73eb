import { fieldOf } from "../../../../shared/json/fields.ts";
import type { Readiness } from "../status/index.ts";
import { type Live, verdictOn } from "./health.ts";

/** An object with this annotation says nothing of its Instance's readiness. */
const SKIP = "kudo.dev/skip-for-readiness-computation";

const counts = ({ kind, metadata, status }: Live): boolean => {
  if (metadata.annotations?.[SKIP] === "true" || metadata.deletionTimestamp !== undefined) return false;
  const isOfJob = (metadata.ownerReferences ?? []).some((owner) => owner.kind === "Job");
  return kind !== "Pod" || (!isOfJob && fieldOf(status, "phase") !== "Succeeded");
};

/** The readiness of an Instance: all of its workloads are healthy. */
export function readinessOf(workloads: readonly Live[]): Readiness {
  const messages = workloads
    .filter(counts)
    .flatMap((object) => {
      const verdict = verdictOn(object);
      return verdict.state === "healthy" ? [] : [verdict.message];
    })
    .toSorted();
  return { ready: messages.length === 0, message: messages.join(", ") };
}
