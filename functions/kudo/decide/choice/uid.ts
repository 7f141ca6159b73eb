import { createHash } from "node:crypto";
import type { InstanceView } from "../definition/index.ts";

/**
 * The uid of a run that this system schedules next for that plan. It follows from the Instance and the number of runs so far: a pass
 * that is repeated after a crash makes the same one, and a lock tells whether this system wrote it for a change of the spec, or only
 * gave a uid to what a person asked for.
 */
export function scheduledUid(
  { metadata, status }: InstanceView,
  plan: string,
  by: "change" | "person",
): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([metadata.uid, status?.executions ?? 0, plan, by]))
    .digest("hex");
  // The form of a UUID, version 8.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
