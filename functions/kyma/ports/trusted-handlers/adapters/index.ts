export { httpHandlers } from "./http.ts";
export { type MemoryHandlers, memoryHandlers } from "./memory.ts";
