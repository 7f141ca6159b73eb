export { configuredUpdateGraph } from "./configured.ts";
export type { GraphAnswer, GraphFailure, GraphQuery, QueryVerdict, UpdateGraph } from "./contract.ts";
export { type HttpUpdateGraphOptions, httpUpdateGraph } from "./http.ts";
export { type MemoryUpdateGraph, memoryUpdateGraph } from "./memory.ts";
export { updateGraph } from "./port.ts";
export { type PrometheusOptions, prometheusQueries } from "./prometheus.ts";
