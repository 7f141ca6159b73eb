import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { KubeClient, Resource, WatchEvent } from "../client.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";

const FIRST_BACK_OFF_MILLISECONDS = 50;
const LAST_BACK_OFF_MILLISECONDS = 10_000;
/** Bookmarks come every minute. */
const SILENCE_MILLISECONDS = 70_000;
/** Deleted uids that a late answer to our own write must not bring back. */
const TOMBSTONES = 10_000;

export interface ReflectorOptions<T> {
  readonly client: KubeClient;
  readonly resource: Resource;
  readonly clock: Clock;
  readonly log: Log;
  readonly metadataOnly?: boolean;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Returns the part of an object that is kept. */
  readonly keep: (object: KubeObject) => T;
  /** `before` is undefined for what is new; `listed` says that it was there before we watched. */
  readonly changed?: (now: T, before: T | undefined, listed: boolean) => void;
  readonly deleted?: (before: T) => void;
  /** Called after each complete list, once all that it held is told. */
  readonly listed?: () => void;
  /** Called where a request failed. Returns the pause before the next try, in milliseconds; undefined: as long as usual. */
  readonly failed?: (error: unknown) => number | undefined;
}

interface Entry<T> {
  readonly version: bigint;
  readonly kept: T;
}

/**
 * A copy of all objects of one kind in memory, by uid: list, then watch, resumed where it ended. For what fits in memory: the
 * development API, the simulator, and the few objects that are waited for. For what it publishes for good the watcher has a ledger.
 */
export class Reflector<T> {
  readonly resource: Resource;
  readonly #options: ReflectorOptions<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #dead = new Set<string>();
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  /** Resolves after the first complete list; never rejects. Resolves too when it is stopped before. */
  readonly synced: Promise<void>;
  #markSynced: () => void = () => undefined;
  #version: string | undefined;
  #isFollowing = false;

  constructor(options: ReflectorOptions<T>) {
    this.resource = options.resource;
    this.#options = options;
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
    this.#ended = this.#run();
  }

  /** True while its watch is open: between two it knows of no change. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  get(uid: string): T | undefined {
    return this.#entries.get(uid)?.kept;
  }

  *values(): Generator<T, void, void> {
    for (const { kept } of this.#entries.values()) yield kept;
  }

  /** Takes in the answer to our own write, which may come before or after its event. */
  observe(object: KubeObject): void {
    this.#put(object, false);
  }

  /** Our own delete was answered with "gone". */
  forget(uid: string): void {
    this.#drop(uid);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#markSynced();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock, log, resource } = this.#options;
    for (let failures = 0; !this.#abort.signal.aborted; ) {
      let pause: number | undefined;
      try {
        if (this.#version === undefined) await this.#list();
        if (await this.#watch()) failures = 0;
        else failures++;
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        if (error instanceof KubeError && error.kind === "expired" && this.#version !== undefined) {
          this.#version = undefined;
          continue;
        }
        failures++;
        // Whoever answers next may be another server with other versions.
        this.#version = undefined;
        log.debug({ kind: resource.kind, error: messageOf(error) }, "the reflector will try again");
        pause = this.#options.failed?.(error);
      }
      if (failures > 0) await this.#pause(clock, pause ?? pauseAfter(failures));
    }
  }

  async #pause(clock: Clock, wait: number): Promise<void> {
    await clock.sleep(wait, this.#abort.signal).catch((reason: unknown) => {
      if (!this.#abort.signal.aborted) throw reason;
    });
  }

  async #list(): Promise<void> {
    const { client, resource, metadataOnly, namespace, fieldSelector, labelSelector, listed } = this.#options;
    const seen = new Set<string>();
    let version: string | undefined;
    for await (const page of client.pages(resource, {
      metadataOnly,
      namespace,
      fieldSelector,
      labelSelector,
      signal: this.#abort.signal,
    })) {
      version ??= page.metadata.resourceVersion;
      for (const object of page.items) {
        if (object.metadata.uid !== undefined) seen.add(object.metadata.uid);
        this.#put(object, true);
      }
    }
    for (const uid of [...this.#entries.keys()]) if (!seen.has(uid)) this.#drop(uid);
    this.#version = version;
    listed?.();
    this.#markSynced();
  }

  /** True for an end after which the watch goes on at once. */
  async #watch(): Promise<boolean> {
    const { client, resource, metadataOnly, namespace, fieldSelector, labelSelector } = this.#options;
    let expired = false;
    let received = false;
    const watching = client.watch(resource, {
      resourceVersion: this.#version ?? "",
      metadataOnly,
      namespace,
      fieldSelector,
      labelSelector,
      silenceMilliseconds: SILENCE_MILLISECONDS,
      signal: this.#abort.signal,
      onOpen: () => {
        this.#isFollowing = true;
      },
      onEvent: (event) => {
        if (event.type === "ERROR") expired = true;
        else this.#take(event);
        received = true;
      },
    });
    const end = await watching.finally(() => {
      this.#isFollowing = false;
    });
    // After a break the server may be another one, which is silent about versions it has not reached: list again.
    if (expired || end.reason === "broken" || end.reason === "silent") this.#version = undefined;
    return received && end.reason === "closed" && !expired;
  }

  #take({ type, object }: WatchEvent): void {
    if (object.metadata.resourceVersion !== undefined) this.#version = object.metadata.resourceVersion;
    if (type === "DELETED") this.#drop(object.metadata.uid ?? "");
    else if (type !== "BOOKMARK") {
      // It matches the selector again.
      if (type === "ADDED") this.#dead.delete(object.metadata.uid ?? "");
      this.#put(object, false);
    }
  }

  #put(object: KubeObject, listed: boolean): void {
    const { uid, resourceVersion } = object.metadata;
    if (listed) this.#dead.delete(uid ?? "");
    if (uid === undefined || resourceVersion === undefined || this.#dead.has(uid)) return;
    const version = BigInt(resourceVersion);
    const before = this.#entries.get(uid);
    // A list is the truth, also where the server went back to an older backup.
    if (before !== undefined && (listed ? before.version === version : before.version >= version)) return;
    const kept = this.#options.keep(object);
    this.#entries.set(uid, { version, kept });
    this.#options.changed?.(kept, before?.kept, listed);
  }

  #drop(uid: string): void {
    this.#dead.add(uid);
    if (this.#dead.size > TOMBSTONES)
      for (const oldest of this.#dead) {
        this.#dead.delete(oldest);
        break;
      }
    const before = this.#entries.get(uid);
    if (before === undefined) return;
    this.#entries.delete(uid);
    this.#options.deleted?.(before.kept);
  }
}

const pauseAfter = (failures: number): number =>
  Math.min(LAST_BACK_OFF_MILLISECONDS, FIRST_BACK_OFF_MILLISECONDS * 2 ** (failures - 1));
