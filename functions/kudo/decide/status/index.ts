export { aggregated, lastRun } from "./aggregate.ts";
export {
  drifted,
  isReadinessOpen,
  isRollOut,
  isUntold,
  type Readiness,
  readyAtEnd,
  readyAtRest,
  readyAtStart,
  scheduled,
} from "./conditions.ts";
export {
  type Note,
  planFinished,
  planStarted,
  refusedBecause,
  stoppedBy,
  versionChanged,
  versionMissing,
  versionReplaced,
} from "./events.ts";
export { historyOf, MOST_RUNS } from "./history.ts";
