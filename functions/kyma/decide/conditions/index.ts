export { conditionsOf, good, type KymaCondition, lacking, nothingToSay, type Verdict } from "./conditions.ts";
