import type { HistoryEntry } from "./types.ts";

/** The version that the cluster last completed; before that, the one that it was installed with. */
export const installedVersion = (history: readonly HistoryEntry[] | undefined): string | undefined =>
  (history?.find(({ state }) => state === "Completed") ?? history?.at(-1))?.version;
