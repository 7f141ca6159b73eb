export { bad, conditionsFrom, good, storedVerdicts, summaryOf, type Verdict } from "./conditions.ts";
