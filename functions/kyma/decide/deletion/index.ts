export { observeDeletion } from "./observe.ts";
export { kymaDeletion } from "./pass.ts";
export { releaseGoes } from "./release.ts";
export type { DeletionWorld } from "./world.ts";
