import type { WorkItem } from "../bus/item.ts";
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

/** The newest version of its own object that woke a run. Undefined for one that failed before: it reads what is newest of all. */
export function wokenBy({ causes, attempt }: WorkItem): string | undefined {
  if (attempt > 1) return undefined;
  return causes
    .flatMap(({ sort, resourceVersion = "" }) =>
      sort === "own" && /^[1-9]\d*$/.test(resourceVersion) ? resourceVersion : [],
    )
    .reduce<string | undefined>(
      (newest, one) => (newest === undefined || isNewer(one, newest) ? one : newest),
      undefined,
    );
}
