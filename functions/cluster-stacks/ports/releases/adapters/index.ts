export { type ConfiguredSource, configuredReleases, registryOf } from "./configured.ts";
export { type FilesByName, type MemoryReleases, memoryReleases } from "./memory.ts";
export { isPublished, mediaTypeOf, publishToRegistry } from "./oci-publish.ts";
export { openedRelease } from "./opened.ts";
