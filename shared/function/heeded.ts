import type { Segments } from "../kube/paths.ts";

/** The annotation of an object that nothing is done for. */
export const PAUSED = "reveille.dev/paused";

/**
 * The paths of its own object that wake a function whatever it heeds: a new wish takes its key out of the dead letters, nothing is waited for
 * where the object goes, and a pause ends.
 */
export const ALWAYS_HEEDED: readonly Segments[] = [
  ["metadata", "generation"],
  ["metadata", "deletionTimestamp"],
  ["metadata", "annotations", PAUSED],
];
