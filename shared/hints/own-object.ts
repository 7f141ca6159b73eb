import type { WorkItem } from "../bus/item.ts";
import { type ParsedKey, subjectOf } from "../function/key.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { type Kind, resourceOf } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { isNewer } from "../kube/resource-version.ts";
import type { Hints } from "./hints.ts";

export interface OwnObjectParts {
  readonly kind: Kind;
  readonly key: Extract<ParsedKey, { of: "object" }>;
  readonly item: WorkItem;
  readonly client: KubeClient;
  /** The objects that this process has just seen; absent: none. */
  readonly hints: Hints | undefined;
}

/**
 * The object that a run is about, by the cheapest way that there is. It may be outdated, unlike all else that a run reads: every write
 * that rests on it carries its version.
 */
export class OwnObject {
  readonly #parts: OwnObjectParts;
  #begun: Promise<KubeObject | undefined> | undefined;

  constructor(parts: OwnObjectParts) {
    this.#parts = parts;
  }

  /** Begins the read that the first pass will need, while the key is still being taken. */
  begin(): this {
    if (this.#seen() !== undefined) return this;
    this.#begun = this.#noOlder();
    // Where the key is not taken, nobody asks for it.
    this.#begun.catch(() => undefined);
    return this;
  }

  /** For the first pass: as this process has just seen it, as its read was begun, or in the version that woke the run or a newer one. */
  async hinted(signal: AbortSignal): Promise<KubeObject | undefined> {
    return this.#seen() ?? (await (this.#begun ?? this.#noOlder(signal)));
  }

  /** For later passes: after a stale read, or where its own writes were not of this object, what was seen before is no ground to decide on. */
  newest(signal?: AbortSignal): Promise<KubeObject | undefined> {
    return this.#get(signal, {});
  }

  #seen(): KubeObject | undefined {
    const { hints, kind, key } = this.#parts;
    return hints?.get(subjectOf(kind, key));
  }

  /**
   * Reads the object at this version or a newer one. With a version the API server answers from its memory and leaves etcd alone:
   * half its work, and sooner.
   */
  async #noOlder(signal?: AbortSignal): Promise<KubeObject | undefined> {
    const resourceVersion = versionThatWoke(this.#parts.item);
    if (resourceVersion !== undefined)
      try {
        return await this.#get(signal, { resourceVersion });
      } catch (error) {
        // The server went back to an older state, and never had this version; or it lags behind the one that told of it.
        if (!(error instanceof KubeError) || error.kind !== "future") throw error;
      }
    return this.newest(signal);
  }

  #get(
    signal: AbortSignal | undefined,
    options: { readonly resourceVersion?: string },
  ): Promise<KubeObject | undefined> {
    const { client, kind, key } = this.#parts;
    return client.get(resourceOf(kind), key, { ...options, ...(signal !== undefined && { signal }) });
  }
}

/** The newest version of its own object that woke a run. Undefined after a failure: such a run reads what is newest of all. */
function versionThatWoke({ causes, attempt }: WorkItem): string | undefined {
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
