export { type BoardCondition, type BoardLine, type BoardOperator, boardOf } from "./board.ts";
export { type HeartbeatLease, heartbeatsOf, type LeasePlace, silentOperators } from "./heartbeat.ts";
export {
  METRICS,
  type Measured,
  type MeasuredVersion,
  type MetricName,
  type Sample,
  type Snapshot,
  samplesOf,
  snapshotOf,
  transitionsBetween,
} from "./metrics.ts";
