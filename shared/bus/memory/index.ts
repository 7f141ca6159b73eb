export { openMemoryBus } from "./open-memory-bus.ts";
