export { metricsText, runRuntimeWatcher } from "./program.ts";
export { startRuntimeWatcher } from "./start.ts";
