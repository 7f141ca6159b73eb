export type { HostOptions } from "./host.ts";
export { runServe, runWatcher, runWorker } from "./run.ts";
