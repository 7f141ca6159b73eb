export type { RunningWatcher, RuntimeWatcherCounts, RuntimeWatcherOptions } from "./contract.ts";
export { CONTRACT } from "./contract.ts";
