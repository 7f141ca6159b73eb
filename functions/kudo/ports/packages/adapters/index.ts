export { memoryPackages } from "./memory.ts";
export { type StoredPackages, storedPackages } from "./stored.ts";
