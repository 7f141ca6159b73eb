export { registryOf } from "../../../../../shared/oci/configured.ts";
export { type ConfiguredSource, configuredReleases } from "./configured.ts";
export { type FilesByName, type MemoryReleases, memoryReleases } from "./memory.ts";
export { isPublished, mediaTypeOf, publishToRegistry } from "./oci-publish.ts";
export { openedRelease } from "./opened.ts";
