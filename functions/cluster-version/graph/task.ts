import type { Manifest } from "../payload/payload.ts";

/** What the version operator does with a payload: the first installation, a move to another one, or keeping it as it is. */
export type Mode = "Initializing" | "Updating" | "Reconciling";

/** One manifest and its place in the payload. */
export interface Task {
  /** Counted from 1 over all manifests of the payload; its name within one `versionHash`. */
  readonly index: number;
  /** How many there are. */
  readonly total: number;
  readonly manifest: Manifest;
  /** `0000_<level>_<component>_…`: the digits as they are written. Absent where the file is named otherwise. */
  readonly level?: string;
  readonly component?: string;
}
