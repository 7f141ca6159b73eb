export { type EmbeddedBus, openEmbeddedBus } from "./bus.ts";
export { defaultHistory, type HistoryBounds } from "./history.ts";
export type { EmbeddedBusOptions } from "./options.ts";
