import type { Manifest } from "../payload/payload.ts";

/** The mode of the version operator: the first installation, a move to another payload, or keeping the present one as it is. */
export type Mode = "Initializing" | "Updating" | "Reconciling";

/** One manifest and its place in the payload. */
export interface Task {
  /** Counted from 1 over all manifests of the payload; its name within one `versionHash`. */
  readonly index: number;
  /** The number of tasks. */
  readonly total: number;
  readonly manifest: Manifest;
  /** `0000_<level>_<component>_…`: the digits as they are written. Absent where the file is named otherwise. */
  readonly level?: string;
  readonly component?: string;
}

const PLACE = /^0000_(\d+)_([a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*)_/;

/** The tasks of a payload, in its order. */
export const tasksOf = (manifests: readonly Manifest[]): readonly Task[] =>
  manifests.map((manifest, at) => {
    const [, level, component] = PLACE.exec(manifest.file) ?? [];
    return {
      index: at + 1,
      total: manifests.length,
      manifest,
      ...(level !== undefined && component !== undefined && { level, component }),
    };
  });

/** The name of an object in messages: `configmap "demo/settings"`. */
export const objectLabel = ({ kind, namespace, name }: Manifest): string =>
  `${kind.toLowerCase()} "${namespace === "" ? name : `${namespace}/${name}`}"`;

/** The name of a task in messages: `configmap "demo/settings" (3 of 12)`. */
export const taskLabel = ({ manifest, index, total }: Task): string =>
  `${objectLabel(manifest)} (${index} of ${total})`;

/** Nothing is reordered across a Job, and what comes after it waits for it. */
export const isJob = ({ manifest: { group, version, kind } }: Task): boolean =>
  group === "batch" && version === "v1" && kind === "Job";
