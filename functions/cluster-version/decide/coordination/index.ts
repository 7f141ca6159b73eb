export type { Comparison, Dependency, Operator } from "./dependency.ts";
export { noOrder, orderOf, type PayloadOrder } from "./order.ts";
export { type GroupReadiness, groupReadiness, type Readiness, readiness } from "./readiness.ts";
export { type Registration, register } from "./registration.ts";
