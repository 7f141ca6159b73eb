export type { GraphAnswer, GraphFailure, GraphQuery, QueryVerdict, UpdateGraph } from "./contract.ts";
export { updateGraph } from "./port.ts";
