export type { HostOptions } from "./host.ts";
export { runAll, runServe, runWatcher, runWorker } from "./run.ts";
