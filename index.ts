/**
 * The declarations of an operator: kinds, keys, wakes, effects, ports and systems.
 *
 * @module reveille
 */
export { ReveilleError } from "./shared/errors.ts";
export * from "./shared/function/index.ts";
export { KubeError, type KubeErrorKind, type KubeStatus } from "./shared/kube/errors.ts";
