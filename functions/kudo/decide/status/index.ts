export { aggregated, lastRun } from "./aggregate.ts";
export {
  isReadinessOpen,
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
} from "./events.ts";
