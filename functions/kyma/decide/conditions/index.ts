export {
  conditionsOf,
  good,
  type KymaCondition,
  lacking,
  nothingToSay,
  tellsOfChanges,
  type Verdict,
} from "./conditions.ts";
