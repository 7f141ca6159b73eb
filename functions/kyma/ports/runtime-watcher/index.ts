export type { RunningWatcher, RuntimeWatcherCounts, RuntimeWatcherOptions } from "./contract.ts";
