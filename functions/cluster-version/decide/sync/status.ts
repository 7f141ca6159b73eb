import type { Time } from "../../../../shared/function/index.ts";
import type { ClusterVersionStatus, HistoryEntry } from "../../kinds/index.ts";
import { removeCondition, setCondition } from "../../status/index.ts";
import type { Verdict as Said } from "../release/index.ts";
import type { Verdict } from "./progress.ts";

/** The conditions that the sync writes, in the order in which they stand. */
const SYNC_CONDITIONS = [
  "Invalid",
  "ImplicitlyEnabledCapabilities",
  "ReleaseAccepted",
  "Available",
  "Failing",
  "Progressing",
] as const;
type SyncCondition = (typeof SYNC_CONDITIONS)[number];
type Conditions = NonNullable<ClusterVersionStatus["conditions"]>;

/** The parts of the status that the sync writes. */
export const SYNC_PARTS = [
  "desired",
  "history",
  "observedGeneration",
  "versionHash",
  "capabilities",
  ...SYNC_CONDITIONS.map((type) => `conditions.${type}` as const),
] as const;

export interface SyncStatus
  extends Pick<ClusterVersionStatus, "desired" | "observedGeneration" | "versionHash"> {
  history: HistoryEntry[];
  capabilities: NonNullable<ClusterVersionStatus["capabilities"]>;
  conditions: (Conditions[number] & { type: SyncCondition })[];
}

/** The parts of the next status. */
export interface SyncReport {
  readonly desired: {
    readonly version: string;
    readonly image: string;
    readonly url?: string | undefined;
    readonly channels?: readonly string[] | undefined;
    readonly architecture?: "Multi" | "" | undefined;
  };
  readonly history: readonly HistoryEntry[];
  readonly observedGeneration: number;
  readonly versionHash: string;
  readonly capabilities: { readonly enabled: readonly string[]; readonly known: readonly string[] };
  /** The conditions to store; types that are left out stay as they are. */
  readonly said: readonly Verdict<SyncCondition>[];
  /** False: the condition Invalid goes. */
  readonly invalid: boolean;
}

/** A condition's verdict, with its type. */
export const typed = (type: SyncCondition, { status, reason, message }: Said): Verdict<SyncCondition> => ({
  type,
  status,
  reason,
  message,
});

/** The sync's part of the status: times move only where a status flips. Available is False before anything was applied. */
export function syncStatus(
  stored: ClusterVersionStatus | undefined,
  report: SyncReport,
  now: Time,
): SyncStatus {
  const isOurs = (condition: Conditions[number]): condition is SyncStatus["conditions"][number] =>
    SYNC_CONDITIONS.some((type) => type === condition.type);
  let conditions: readonly SyncStatus["conditions"][number][] = (stored?.conditions ?? []).filter(isOurs);
  if (!conditions.some(({ type }) => type === "Available"))
    conditions = setCondition(conditions, { type: "Available", status: "False" }, now);
  for (const said of report.said) conditions = setCondition(conditions, said, now);
  if (!report.invalid) conditions = removeCondition(conditions, "Invalid");
  const { version, image, url, channels, architecture } = report.desired;
  return {
    desired: {
      version,
      image,
      ...(url !== undefined && { url }),
      ...(channels !== undefined && { channels: [...channels] }),
      ...(architecture !== undefined && { architecture }),
    },
    history: [...report.history],
    observedGeneration: report.observedGeneration,
    versionHash: report.versionHash,
    capabilities: {
      enabledCapabilities: [...report.capabilities.enabled],
      knownCapabilities: [...report.capabilities.known],
    },
    conditions: SYNC_CONDITIONS.flatMap(
      (type) => conditions.find((condition) => condition.type === type) ?? [],
    ),
  };
}

/** The time that a change of words alone may wait. */
const WORDS = 15_000;

/**
 * The time until which a new status may wait, since only words in it changed; undefined where it is written at once: a new
 * generation or image, a condition that flips or has another reason, history.
 */
export function mayWaitUntil(
  stored: ClusterVersionStatus | undefined,
  next: SyncStatus,
  { now, lastStatusAt }: { readonly now: Time; readonly lastStatusAt?: Time | undefined },
): number | undefined {
  if (stored === undefined || lastStatusAt === undefined) return undefined;
  const age = Date.parse(now) - Date.parse(lastStatusAt);
  if (age < 0 || age >= WORDS) return undefined;
  const essence = (status: Partial<ClusterVersionStatus>): string =>
    JSON.stringify([
      status.observedGeneration,
      status.desired?.image,
      status.desired?.version,
      status.versionHash,
      status.history,
      status.capabilities,
      SYNC_CONDITIONS.map((type) => {
        const found = status.conditions?.find((condition) => condition.type === type);
        return [found?.status, found?.reason];
      }),
    ]);
  return essence(stored) === essence(next) ? Date.parse(lastStatusAt) + WORDS : undefined;
}
