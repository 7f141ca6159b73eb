import type {
  KubeClient,
  ListOptions,
  ListPage,
  Place,
  Resource,
  WatchEnd,
  WatchEvent,
  WatchOptions,
} from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

/** A measure asked for what this cluster cannot do. */
const refused = (what: string) => (): never => {
  throw new Error(`the cluster of the benchmark cannot ${what}`);
};

interface NewObject {
  readonly metadata: KubeObject["metadata"];
  readonly [field: string]: unknown;
}

interface Kept {
  readonly objects: Map<string, KubeObject>;
  readonly watches: Set<(event: WatchEvent) => void>;
  /** Oldest first. */
  changes: WatchEvent[];
  /** Watches from before this version are expired. */
  oldest: number;
}

/** The number of changes of a kind that a watch can go back. */
const REMEMBERED = 20_000;

/**
 * A cluster without a server: maps of objects behind the client's interface, so that the engine is measured alone. Answers come
 * in a later turn of the event loop; watches are told at once. It knows list, get, watch and status applies, and that is all.
 */
export class FakeCluster {
  readonly requests: Record<string, number> = {};
  readonly #kinds = new Map<string, Kept>();
  #version = 1;

  /** Puts an object under the next version and generation, with the status that it had, and tells the watches. */
  put(resource: Resource, object: NewObject): KubeObject {
    const kept = this.#kept(resource);
    const { objects } = kept;
    const name = keyOf(object.metadata);
    const known = objects.get(name);
    this.#version += 1;
    const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
    const next: KubeObject = {
      ...(known?.status !== undefined && { status: known.status }),
      ...object,
      apiVersion,
      kind: resource.kind,
      metadata: {
        uid: `uid-${resource.kind}-${object.metadata.name}`,
        creationTimestamp: "2026-01-01T00:00:00Z",
        ...object.metadata,
        generation: (known?.metadata.generation ?? 0) + 1,
        resourceVersion: String(this.#version),
      },
    };
    objects.set(name, next);
    this.#tell(kept, { type: known === undefined ? "ADDED" : "MODIFIED", object: next });
    return next;
  }

  /** Puts like `put`, but the status and the generation stay: a change of metadata. */
  touch(resource: Resource, object: Pick<KubeObject, "metadata">): KubeObject {
    const kept = this.#kept(resource);
    const { objects } = kept;
    const live = objects.get(keyOf(object.metadata));
    if (live === undefined) throw new Error(`${object.metadata.name} is not there`);
    this.#version += 1;
    const next = {
      ...live,
      metadata: { ...live.metadata, ...object.metadata, resourceVersion: String(this.#version) },
    };
    objects.set(keyOf(object.metadata), next);
    this.#tell(kept, { type: "MODIFIED", object: next });
    return next;
  }

  /** No watch can go back any more: each that is opened at an older version answers 410. */
  forgetChanges(): void {
    for (const kept of this.#kinds.values()) {
      kept.changes = [];
      kept.oldest = this.#version;
    }
  }

  count(resource: Resource): number {
    return this.#kept(resource).objects.size;
  }

  /** A client of it. `onStatus` is told of each status that is written. */
  client(onStatus: (object: KubeObject) => void = () => undefined): KubeClient {
    const count = (verb: string): void => {
      this.requests[verb] = (this.requests[verb] ?? 0) + 1;
    };
    const list = async (resource: Resource, options: ListOptions = {}): Promise<ListPage> => {
      count("list");
      await turn();
      return this.#list(resource, options);
    };
    return {
      requests: this.requests,
      exec: () => Promise.reject(new Error("a fake cluster runs no commands")),
      list,
      async *pages(resource, options = {}) {
        for (let next = options.continue; ; ) {
          const page = await list(resource, { ...options, limit: options.limit ?? 500, continue: next });
          yield page;
          next = page.metadata.continue;
          if (next === undefined) return;
        }
      },
      get: async (resource, place) => {
        count("get");
        await turn();
        return this.#kept(resource).objects.get(keyOf(place));
      },
      watch: (resource, options) => {
        count("watch");
        return this.#watch(resource, options);
      },
      apply: async (resource, place, body, { subresource, fieldManager }) => {
        count("apply");
        await turn();
        if (subresource !== "status") return refused("apply anything but a status")();
        const object = this.#applyStatus(resource, place, body, fieldManager);
        onStatus(object);
        return object;
      },
      create: refused("create"),
      patch: refused("patch"),
      replace: refused("replace"),
      delete: refused("delete"),
      discover: refused("tell its kinds"),
      raw: refused("answer raw requests"),
      close: () => undefined,
    };
  }

  #list(
    resource: Resource,
    { limit = Number.POSITIVE_INFINITY, continue: from = "0" }: ListOptions,
  ): ListPage {
    const begin = Number(from);
    const items = [...this.#kept(resource).objects.values()].slice(begin, begin + limit);
    const end = begin + items.length;
    return {
      items,
      metadata: {
        resourceVersion: String(this.#version),
        ...(end < this.count(resource) && { continue: String(end) }),
      },
    };
  }

  async #watch(resource: Resource, options: WatchOptions): Promise<WatchEnd> {
    const { resourceVersion, signal, onOpen, onEvent } = options;
    await turn();
    const kept = this.#kept(resource);
    const from = Number(resourceVersion);
    if (from < kept.oldest)
      throw new KubeError("expired", `${resourceVersion} is too old`, { request: "watch" });
    onOpen?.();
    for (const change of kept.changes)
      if (Number(change.object.metadata.resourceVersion) > from) onEvent(change);
    kept.watches.add(onEvent);
    return new Promise((resolve) => {
      signal?.addEventListener("abort", () => {
        kept.watches.delete(onEvent);
        resolve({ reason: "aborted" });
      });
    });
  }

  #tell(kept: Kept, change: WatchEvent): void {
    kept.changes.push(change);
    if (kept.changes.length > 2 * REMEMBERED) {
      kept.changes = kept.changes.slice(-REMEMBERED);
      kept.oldest = Number(kept.changes[0]?.object.metadata.resourceVersion);
    }
    for (const tell of kept.watches) tell(change);
  }

  #applyStatus(resource: Resource, place: Place, body: KubeObject, manager: string): KubeObject {
    const kept = this.#kept(resource);
    const { objects } = kept;
    const live = objects.get(keyOf(place));
    if (live === undefined) throw new KubeError("missing", `${place.name} is gone`, { request: "apply" });
    const expected = body.metadata.resourceVersion;
    if (expected !== undefined && expected !== live.metadata.resourceVersion)
      throw new KubeError("stale", `${place.name} moved on`, { request: "apply" });
    this.#version += 1;
    const fieldsV1 = {
      "f:status": Object.fromEntries(Object.keys(body.status ?? {}).map((name) => [`f:${name}`, {}])),
    };
    const next: KubeObject = {
      ...live,
      status: body.status,
      metadata: {
        ...live.metadata,
        resourceVersion: String(this.#version),
        managedFields: [
          {
            manager,
            operation: "Apply",
            apiVersion: live.apiVersion,
            subresource: "status",
            fieldsType: "FieldsV1",
            fieldsV1,
          },
        ],
      },
    };
    objects.set(keyOf(place), next);
    this.#tell(kept, { type: "MODIFIED", object: next });
    return next;
  }

  #kept(resource: Resource): Kept {
    const name = `${resource.group}/${resource.plural}`;
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const kept: Kept = { objects: new Map(), watches: new Set(), changes: [], oldest: 0 };
    this.#kinds.set(name, kept);
    return kept;
  }
}

const keyOf = ({ namespace, name }: Place): string => `${namespace ?? ""}/${name}`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
