import type { WorkItem } from "../bus/item.ts";
import type { ParsedKey } from "../function/key.ts";
import type { KindStatics } from "../kube/kind.ts";
import { isNewer, type KubeObject } from "../kube/object.ts";

/** The read of a run's own object, begun while its key was still being taken. */
export class ReadAhead {
  readonly #object: Promise<KubeObject | undefined>;

  constructor(object: Promise<KubeObject | undefined>) {
    this.#object = object;
    // Where the key is not taken, nobody asks for it.
    object.catch(() => undefined);
  }

  /** As `KubeClient.get`. */
  object(): Promise<KubeObject | undefined> {
    return this.#object;
  }
}

/** What woke a run to the newest version of its own object. A run that failed before reads what is newest of all. */
export interface WokenBy {
  readonly resourceVersion: string;
  /** When the watcher saw it. */
  readonly at: string;
}

export function wokenBy({ causes, attempt }: WorkItem): WokenBy | undefined {
  if (attempt > 1) return undefined;
  return causes
    .flatMap(({ sort, resourceVersion = "", at }) =>
      sort === "own" && /^[1-9]\d*$/.test(resourceVersion) ? { resourceVersion, at } : [],
    )
    .reduce<WokenBy | undefined>(
      (newest, one) =>
        newest === undefined || isNewer(one.resourceVersion, newest.resourceVersion) ? one : newest,
      undefined,
    );
}

/**
 * How long what an event tells of an object is believed. An event may wait for hours, in which the object was paused or ended; and
 * not all that a run writes carries its version. By the watcher's clock and this host's: where they differ more, runs read.
 */
const TOLD_MILLISECONDS = 2_000;

/** Whether what an event told is the object of a key, in the version that woke the run, and just now. */
export function isThat(
  told: unknown,
  {
    kind: { group, version, kind },
    key: { namespace, name },
    woken,
    now,
  }: {
    readonly kind: Pick<KindStatics, "group" | "version" | "kind">;
    readonly key: Extract<ParsedKey, { of: "object" }>;
    readonly woken: WokenBy | undefined;
    readonly now: number;
  },
): told is KubeObject {
  if (typeof told !== "object" || told === null || woken === undefined) return false;
  if (!(Math.abs(now - Date.parse(woken.at)) <= TOLD_MILLISECONDS)) return false;
  const { apiVersion, kind: said, metadata } = told as Partial<KubeObject>;
  return (
    apiVersion === (group === "" ? version : `${group}/${version}`) &&
    said === kind &&
    metadata?.name === name &&
    metadata.namespace === namespace &&
    metadata.resourceVersion === woken.resourceVersion
  );
}
