export { type EmbeddedBus, openEmbeddedBus } from "./bus.ts";
export { type EmbeddedClientOptions, openEmbeddedClient } from "./client.ts";
export { defaultHistory, type HistoryBounds } from "./history.ts";
export type { EmbeddedBusOptions } from "./options.ts";
