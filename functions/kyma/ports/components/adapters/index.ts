export type { Place } from "./blobs.ts";
export { configuredComponents } from "./configured.ts";
export { layoutBlobs } from "./layout.ts";
export { putInLayout } from "./layout-writer.ts";
export { type MemoryComponents, memoryComponents, type Published } from "./memory.ts";
export { type PackedComponent, packedComponent, type UnpackedComponent } from "./packed.ts";
export { componentsOf } from "./read.ts";
export { registryBlobs } from "./registry.ts";
export { remembering } from "./remembering.ts";
