export { listener } from "./listener.ts";
export { managerOf, routeDeletion, routePass } from "./route.ts";
export { isBeat, isOfRuntime, ofRuntime } from "./runtime.ts";
export { leaseName, type WatchOutcome, type WatchWorld, watchPass } from "./silence.ts";
