export { Instance, Operator, OperatorVersion } from "./kinds/index.ts";
export { kudo } from "./system.ts";
