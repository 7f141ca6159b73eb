import { type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import type { HistoryEntry } from "../../kinds/index.ts";
import type { Mode } from "../graph/index.ts";
import { pruned } from "./prune.ts";

export const MAXIMUM_HISTORY = 100;

/** The mode that a history shows, of the release that is wanted (4.4). */
export function modeOf(history: readonly HistoryEntry[], image: string): Mode {
  if (!history.some(({ state }) => state === "Completed")) return "Initializing";
  const [newest] = history;
  return newest?.state === "Completed" && newest.image === image ? "Reconciling" : "Updating";
}

/** A pass's words about the release that it applies. */
export interface Applied {
  readonly version: string;
  readonly image: string;
  readonly completed: boolean;
  readonly verified: boolean;
  readonly acceptedRisks: string;
}

/** True where both are about one release: a field that one of them leaves empty is no difference. */
const isSameRelease = (
  one: { readonly version?: string | undefined; readonly image: string },
  other: { readonly version?: string | undefined; readonly image: string },
): boolean => {
  const agree = (mine = "", theirs = ""): boolean => mine === "" || theirs === "" || mine === theirs;
  return agree(one.image, other.image) && agree(one.version, other.version);
};

/**
 * The history with this told (4.10). An entry never goes back from Completed, its time of completion is set once, and `verified` only
 * ever turns on. Without an image nothing is told.
 */
export function historyWith(
  history: readonly HistoryEntry[],
  applied: Applied,
  now: Time,
): readonly HistoryEntry[] {
  const { version, image, completed, verified, acceptedRisks } = applied;
  if (image === "") return history;
  const [newest, ...older] = history;
  if (newest === undefined || !isSameRelease(newest, applied)) {
    const closed = history.map((entry) => ({
      ...entry,
      completionTime: entry.completionTime ?? toWholeSeconds(now),
    }));
    return pruned([begun(applied, now), ...closed], MAXIMUM_HISTORY);
  }
  const risks = acceptedRisks === "" ? newest.acceptedRisks : acceptedRisks;
  const entry: HistoryEntry = {
    ...newest,
    state: completed ? "Completed" : newest.state,
    completionTime: completed ? (newest.completionTime ?? toWholeSeconds(now)) : newest.completionTime,
    version: (newest.version ?? "") === "" ? version : newest.version,
    image: newest.image === "" ? image : newest.image,
    verified: newest.verified || verified,
    ...(risks !== undefined && { acceptedRisks: risks }),
  };
  return [entry, ...older];
}

const begun = ({ version, image, completed, verified, acceptedRisks }: Applied, now: Time): HistoryEntry => ({
  state: completed ? "Completed" : "Partial",
  startedTime: toWholeSeconds(now),
  completionTime: completed ? toWholeSeconds(now) : null,
  version,
  image,
  verified,
  ...(acceptedRisks !== "" && { acceptedRisks }),
});
