import type { LedgerChange } from "../watcher/ledger-lines.ts";

/** The line of a ledger that keeps an object as it was published. */
export const keptObject = (name: string, uid: string, stream = 1): LedgerChange => ({
  do: "keep",
  stream,
  era: 0,
  entry: "e",
  sighting: {
    namespace: "default",
    name,
    uid,
    resourceVersion: "5",
    generation: 1,
    facts: {},
    ready: undefined,
    object: "o",
    status: "s",
    owners: [],
    deleting: false,
  },
});
