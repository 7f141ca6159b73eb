export { type ConfiguredSource, configuredReleases } from "./configured.ts";
export { type FilesByName, type MemoryReleases, memoryReleases } from "./memory.ts";
export { mediaTypeOf, publishToRegistry } from "./oci-publish.ts";
