export type { HostOptions } from "./host.ts";
export { runWatcher, runWorker } from "./run.ts";
