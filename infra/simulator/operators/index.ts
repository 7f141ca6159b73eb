export { type Operators, startOperators } from "./operators.ts";
export { DEGRADED, NOT_UPGRADEABLE, OPERATOR } from "./report.ts";
