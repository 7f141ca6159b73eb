export type { RunningWatcher, RuntimeWatcherCounts, RuntimeWatcherOptions } from "./contract.ts";
export { CONTRACT, isAddress } from "./contract.ts";
