export { conditionsOf, good, type KymaCondition, lacking, type Verdict } from "./conditions.ts";
