import type { Time } from "../../../../shared/function/index.ts";
import type { ClusterVersion } from "../../kinds/index.ts";
import { isTrue } from "../../status/index.ts";
import { type SyncStatus, syncStatus } from "./status.ts";

/** The status where the sync itself fails: all that it told before stays, the cluster counts as not available (4.6). */
export function failedStatus({ metadata, status }: ClusterVersion, message: string, now: Time): SyncStatus {
  const progressing = isTrue(status?.conditions, "Progressing") ? "True" : "False";
  return syncStatus(
    status,
    {
      desired: status?.desired ?? { version: "", image: "" },
      history: status?.history ?? [],
      observedGeneration: status?.observedGeneration ?? metadata.generation,
      versionHash: status?.versionHash ?? "",
      capabilities: {
        enabled: status?.capabilities?.enabledCapabilities ?? [],
        known: status?.capabilities?.knownCapabilities ?? [],
      },
      invalid: status?.conditions?.some(({ type }) => type === "Invalid") ?? false,
      said: [
        { type: "Available", status: "False" },
        { type: "Failing", status: "True", message },
        {
          type: "Progressing",
          status: progressing,
          message: `Error ensuring the cluster version is up to date: ${message}`,
        },
      ],
    },
    now,
  );
}
