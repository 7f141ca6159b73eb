import type { Clock } from "../../../shared/clock/clock.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import type { StreamPlaces } from "./places.ts";
import type { FollowingStream, StreamScope } from "./stream.ts";
import type { AwaitedObject } from "./waits.ts";

/** So many objects of one kind and namespace are followed one by one; of more, the namespace is. */
const NAMES = 3;
/** The most streams, unless another number is given. */
const MOST_STREAMS = 500;
/** A stream ends so long after the last wait that needed it. */
const LINGER_MILLISECONDS = 60_000;
/** A namespace that may not be followed as a whole is not asked for so long again: its objects are followed one by one. */
const REFUSED_MILLISECONDS = 600_000;

/** An object that somebody waits for. */
export interface AwaitedEntry {
  readonly object: AwaitedObject;
  /** Follows it; undefined while its kind is not known. */
  stream?: FollowingStream | undefined;
  /** The news of it that was told last: its uid and version, or that it is gone. */
  told?: string | undefined;
  /** The time at which somebody began to wait, in milliseconds. */
  readonly since: number;
}

interface Open {
  readonly key: string;
  readonly stream: FollowingStream;
  readonly entries: Set<AwaitedEntry>;
  cancelEnd?: (() => void) | undefined;
}

export interface StreamsParts {
  readonly clock: Clock;
  /** The most streams; beyond, wider ones are opened. Default 500. */
  readonly most?: number | undefined;
  /** Absent: all namespaces may be followed at once. */
  readonly namespaces: readonly string[] | undefined;
  /** The places of these streams and others. Absent: each has one, for as long as it goes on. */
  readonly places?: StreamPlaces | undefined;
  /** Opens a stream; `listed` is to be called after each complete list of it. */
  readonly open: (scope: StreamScope, stream: { readonly listed: () => void }) => FollowingStream;
}

const isWide = ({ scope }: FollowingStream): boolean => scope.name === undefined;
const keyOf = ({ resource, namespace, name }: StreamScope): string =>
  [resource.group, resource.version, resource.plural, namespace ?? "*", name ?? "*"].join("\n");

/** The streams that are open, each for as long as somebody waits for an object in it. */
export class Streams {
  readonly #parts: StreamsParts;
  readonly #open = new Map<string, Open>();
  /** The wide streams that were refused, and until when that is remembered. */
  readonly #refused = new Map<string, number>();

  constructor(parts: StreamsParts) {
    this.#parts = parts;
  }

  get all(): readonly FollowingStream[] {
    return [...this.#open.values()].map(({ stream }) => stream);
  }

  entriesOf(stream: FollowingStream): readonly AwaitedEntry[] {
    return [...(this.#open.get(keyOf(stream.scope))?.entries ?? [])];
  }

  /** Has the object followed: by a stream that is open, or else by a new one. */
  follow(entry: AwaitedEntry, resource: Resource): void {
    const { name } = entry.object;
    const namespace = resource.scope === "Cluster" ? undefined : entry.object.namespace;
    const scopes = [
      { resource, namespace: undefined, name: undefined },
      { resource, namespace, name: undefined },
      { resource, namespace, name },
    ];
    const found = scopes
      .map((scope) => this.#open.get(keyOf(scope)))
      .find((open) => open !== undefined && !(isWide(open.stream) && open.stream.state === "forbidden"));
    const open = found ?? this.#stream(this.#scopeFor(resource, namespace, name));
    open.cancelEnd?.();
    open.cancelEnd = undefined;
    open.entries.add(entry);
    entry.stream = open.stream;
    open.stream.awaited();
  }

  /**
   * A stream may not be opened. Where that is a wide one, its objects are followed one by one, as far as there may be more streams: RBAC
   * may allow each of them by its name. Returns what nothing follows now.
   */
  refused(stream: FollowingStream): readonly AwaitedEntry[] {
    if (!isWide(stream)) return this.entriesOf(stream);
    const { most = MOST_STREAMS, clock } = this.#parts;
    const now = clock.now();
    for (const [key, until] of this.#refused) if (until <= now) this.#refused.delete(key);
    this.#refused.set(keyOf(stream.scope), now + REFUSED_MILLISECONDS);
    const moved = this.entriesOf(stream).slice(0, Math.max(0, most - this.#open.size));
    for (const entry of moved) {
      this.leave(entry);
      this.follow(entry, stream.scope.resource);
    }
    const left = this.entriesOf(stream);
    if (left.length === 0) this.end(stream);
    return left;
  }

  /** Nobody waits for it any more; its stream goes on a little, since the next wait may be near. */
  leave(entry: AwaitedEntry): void {
    const { stream } = entry;
    if (stream === undefined) return;
    entry.stream = undefined;
    const open = this.#open.get(keyOf(stream.scope));
    if (open === undefined || !open.entries.delete(entry) || open.entries.size > 0) return;
    open.cancelEnd?.();
    const { clock, places } = this.#parts;
    const end = (): void => void this.end(open.stream);
    const cancel = clock.after(LINGER_MILLISECONDS, end);
    let remove: (() => void) | undefined;
    open.cancelEnd = () => {
      cancel();
      remove?.();
    };
    // It may end at once: too many linger, or others need its place.
    remove = places?.linger(end);
  }

  /** Ends a stream at once; returns what it followed. */
  end(stream: FollowingStream): readonly AwaitedEntry[] {
    const open = this.#open.get(keyOf(stream.scope));
    if (open?.stream !== stream) return [];
    this.#open.delete(open.key);
    open.cancelEnd?.();
    void stream.stop();
    for (const entry of open.entries) entry.stream = undefined;
    return [...open.entries];
  }

  async stop(): Promise<void> {
    const streams = this.all;
    for (const stream of streams) this.end(stream);
    await Promise.all(streams.map((stream) => stream.stop()));
  }

  /** The narrowest that can be opened: watches cost by what passes in them, and by their number. */
  #scopeFor(resource: Resource, namespace: string | undefined, name: string): StreamScope {
    const { most = MOST_STREAMS, namespaces, clock } = this.#parts;
    const place = { resource, namespace };
    if (this.#open.size >= most)
      return { resource, namespace: namespaces === undefined ? undefined : namespace, name: undefined };
    const beside = [...this.#open.values()].filter(
      ({ stream: { scope } }) =>
        scope.name !== undefined &&
        keyOf({ ...scope, name: undefined }) === keyOf({ ...place, name: undefined }),
    );
    const isRefused = (this.#refused.get(keyOf({ ...place, name: undefined })) ?? 0) > clock.now();
    return { ...place, name: isRefused || beside.length < NAMES ? name : undefined };
  }

  /** The stream of this scope, which may be one that was refused. */
  #stream(scope: StreamScope): Open {
    return this.#open.get(keyOf(scope)) ?? this.#begin(scope);
  }

  #begin(scope: StreamScope): Open {
    const key = keyOf(scope);
    // Only once it tells all is a narrower one needed no longer.
    const stream = this.#parts.open(scope, { listed: () => this.#widened(key) });
    const open: Open = { key, stream, entries: new Set() };
    this.#open.set(key, open);
    return open;
  }

  #widened(key: string): void {
    const wide = this.#open.get(key);
    if (wide === undefined || wide.stream.scope.name !== undefined) return;
    const { resource, namespace } = wide.stream.scope;
    for (const { stream } of [...this.#open.values()]) {
      const { scope } = stream;
      const isWithin =
        stream !== wide.stream &&
        keyOf({ ...scope, namespace: undefined, name: undefined }) ===
          keyOf({ resource, namespace: undefined, name: undefined }) &&
        (namespace === undefined || scope.namespace === namespace);
      if (!isWithin) continue;
      for (const entry of this.end(stream)) {
        wide.entries.add(entry);
        entry.stream = wide.stream;
      }
    }
  }
}
