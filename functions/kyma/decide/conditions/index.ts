export {
  conditionsOf,
  good,
  type KymaCondition,
  lacking,
  nothingToSay,
  tellsOfChanges,
  unobserved,
  type Verdict,
} from "./conditions.ts";
export { isStopped, stopped } from "./stopped.ts";
