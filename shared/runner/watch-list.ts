import type { ReadyRule, Segments } from "../kube/paths.ts";

/**
 * One kind that the watcher follows, as plain data: generated from the declarations, so that one watcher serves every
 * system. A change of an entry makes the watcher publish the kind's objects once more, in the sweep lane.
 */
export interface WatchedKind {
  readonly group: string;
  readonly version: string;
  /** The versions that will do, the best first; absent: `version` alone. */
  readonly versions?: readonly string[] | undefined;
  readonly kind: string;
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly labelSelector?: string | undefined;
  readonly facts: Readonly<Record<string, Segments>>;
  readonly ready: ReadyRule | undefined;
  /**
   * The changes that make an event. `facts`: only those of facts and readiness. `object`: also spec, other top-level fields,
   * labels, annotations, owners, finalizers, deletion (a function owns such objects). `all`: also any change of the status (a
   * function's key).
   */
  readonly interest: "facts" | "object" | "all";
}

/** The kinds that the watcher of one cluster follows. */
export interface WatchList {
  readonly kinds: readonly WatchedKind[];
  /** Absent: all namespaces; else only these. */
  readonly namespaces?: readonly string[] | undefined;
}
