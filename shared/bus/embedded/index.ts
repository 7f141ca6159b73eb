export { type EmbeddedBus, type EmbeddedBusOptions, openEmbeddedBus } from "./embedded-bus.ts";
export { defaultHistory, type HistoryBounds } from "./history.ts";
