export { listener } from "./listener.ts";
export { isBeat, isOfRuntime, ofRuntime } from "./runtime.ts";
export { leaseName, type WatchOutcome, type WatchWorld, watchPass } from "./silence.ts";
