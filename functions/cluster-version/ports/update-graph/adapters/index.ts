export { configuredUpdateGraph } from "./configured.ts";
export { type HttpUpdateGraphOptions, httpUpdateGraph } from "./http.ts";
export { type MemoryUpdateGraph, memoryUpdateGraph } from "./memory.ts";
export { type PrometheusOptions, prometheusQueries } from "./prometheus.ts";
