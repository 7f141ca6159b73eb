export { firstObjects } from "./first-objects.ts";
export { INITIAL_NAMESPACES, namespaceNamed } from "./namespaces.ts";
export { builtInTypes } from "./types.ts";
