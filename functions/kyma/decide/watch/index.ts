export { ofRuntimeCatalog, ofRuntimeItself } from "./hints.ts";
export { listener } from "./listener.ts";
export { routeDeletion, routePass } from "./route.ts";
export { isOfRuntime, kymaIn, ofRuntime } from "./runtime.ts";
export { lastSign, leaseName, namesakes, type WatchOutcome, type WatchWorld, watchPass } from "./silence.ts";
