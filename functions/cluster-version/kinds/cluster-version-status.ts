import * as z from "zod";
import { atomic, int64, keyed, time, word } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { conditionalUpdate, conditionalUpdateRisk } from "./conditional-update.ts";
import { release } from "./release.ts";

/** The conditions of a ClusterVersion, in the order in which they are written. */
export type ClusterVersionConditionType =
  | "Invalid"
  | "ImplicitlyEnabledCapabilities"
  | "ReleaseAccepted"
  | "Available"
  | "Failing"
  | "Progressing"
  | "RetrievedUpdates"
  | "Upgradeable";

const historyEntry = z.object({
  state: word<"Completed" | "Partial">().describe("Completed: every part was applied at least once."),
  startedTime: time.describe("When it was begun."),
  completionTime: time
    .nullable()
    .describe("When it was done, or replaced by the next. Null for the one under way."),
  version: z.string().describe("The release's version; empty where it is not known.").optional(),
  image: z.string().describe("The image of its payload."),
  verified: z.boolean().describe("Whether the image was verified before it was applied."),
  acceptedRisks: z.string().describe("What spoke against it and was taken knowingly.").optional(),
});
/** One release that was applied, or begun. */
export type HistoryEntry = z.output<typeof historyEntry>;

// Upstream lists the names here as well: after a rollback a cluster then holds a name that its older schema refuses,
// and nothing can write the object any more. What was enabled is told as it is.
const capabilityNames = atomic(word<string>());

/** The schema of their outcome. */
export const clusterVersionStatus = z.object({
  desired: release.describe("The release that the cluster moves to, or is at."),
  history: atomic(historyEntry).describe("What was applied, newest first.").optional(),
  observedGeneration: int64.describe("The generation of the spec that is being acted on."),
  versionHash: z.string().describe("Fingerprint of the payload's manifests."),
  capabilities: z
    .object({
      enabledCapabilities: capabilityNames
        .describe("The optional parts that are managed, sorted.")
        .optional(),
      knownCapabilities: capabilityNames.describe("All that the payload knows, sorted.").optional(),
    })
    .describe("Which optional parts there are.")
    .optional(),
  conditions: conditionsOf<ClusterVersionConditionType>().describe("How it stands.").optional(),
  availableUpdates: atomic(release).nullable().describe("Recommended updates; null before they are known."),
  conditionalUpdates: atomic(conditionalUpdate)
    .max(500)
    .describe("Updates that are recommended to some clusters only.")
    .optional(),
  conditionalUpdateRisks: keyed(conditionalUpdateRisk, "name")
    .max(500)
    .describe("The risks of them all. Accepted and kept.")
    .optional(),
});
/** The outcome of an administrator's requests. */
export type ClusterVersionStatus = z.output<typeof clusterVersionStatus>;
