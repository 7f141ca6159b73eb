export { DEFAULT_LIMITS, type PayloadLimits } from "./collector.ts";
export { type MemoryPayloads, memoryPayloads } from "./memory.ts";
export { entryName, type StoredPayloads, storedPayloads } from "./stored.ts";
