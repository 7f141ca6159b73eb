export type { Beside, SeenInAnswer } from "./beside.ts";
export { clusterName } from "./cluster-name.ts";
export type { Counters } from "./counters.ts";
export type { LeaseOptions } from "./election.ts";
export { LedgerError } from "./errors.ts";
export { isCustom } from "./kind-presence.ts";
export type { KindState, ListReason, MissingRule } from "./kind-state.ts";
export { leaderOf, PUBLISHED_FOR_LIMIT } from "./lease.ts";
export type { Onlooker } from "./onlooker.ts";
export type { Timing } from "./timing.ts";
export {
  type PublishedBefore,
  type StreamPosition,
  startWatcher,
  type Watcher,
  type WatcherOptions,
  type WatcherPosition,
} from "./watcher.ts";
