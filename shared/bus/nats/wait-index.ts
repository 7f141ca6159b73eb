import type { Envelope } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import type { WaitedObject } from "../contract.ts";
import { followedIn } from "../followed.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { keyName, objectName } from "../key-name.ts";
import { waitCause, waitedObjectOf } from "../wait-cause.ts";
import type { Foreign } from "./foreign.ts";
import type { Names } from "./names.ts";
import { readable } from "./store.ts";
import { Tail } from "./tail.ts";
import { VERSION } from "./version.ts";
import type { Stored, Wire } from "./wire.ts";

export interface WaitsMessage extends WorkKey {
  readonly version: number;
  readonly waits: readonly WaitedObject[];
}

/** The time for which the end of a wait is told, in seconds: publishers that were away read all anew. */
const CLEARED_SECONDS = 3_600;
/** After such a pause an end may have been missed that is told no more. */
const STALE_MILLISECONDS = (CLEARED_SECONDS * 1000) / 2;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isWaited = (value: unknown): value is WaitedObject =>
  isObject(value) &&
  typeof value.cluster === "string" &&
  typeof value.group === "string" &&
  typeof value.kind === "string" &&
  typeof value.name === "string";

/** Parses a message of the waits stream. Throws a SyntaxError or TypeError for a foreign one. */
export function waitsMessageOf(body: Uint8Array): WaitsMessage {
  const read: unknown = JSON.parse(new TextDecoder().decode(body));
  if (!isObject(read) || typeof read.version !== "number") throw new TypeError("It is no note of waits");
  const { version, function: name, key, waits } = read;
  // Of what a newer version wrote nothing else is read.
  if (version > VERSION) return { version, function: String(name), key: String(key), waits: [] };
  if (typeof name !== "string" || typeof key !== "string" || !Array.isArray(waits) || !waits.every(isWaited))
    throw new TypeError("It is no note of waits");
  return { version, function: name, key, waits };
}

type WaitWire = Pick<Wire, "list" | "request" | "store">;

/**
 * The index of waits: the keys that wait for each object (B11). A host writes it when a run ends; a publisher keeps all of it in
 * memory and reads its changes before each publishing.
 */
export class WaitIndex {
  readonly #wire: WaitWire;
  readonly #names: Names;
  readonly #foreign: Foreign;
  readonly #waits = new Map<string, { readonly key: WorkKey; readonly waits: readonly WaitedObject[] }>();
  readonly #waiting = new Map<string, Map<string, WorkKey>>();
  readonly #tail: Tail;
  #readAt = Number.NEGATIVE_INFINITY;
  /** The keys that a look for all has met so far; undefined while only news are looked for. */
  #met: Set<string> | undefined;

  constructor(wire: WaitWire, names: Names, foreign: Foreign, clock: Pick<Clock, "now">) {
    this.#foreign = foreign;
    this.#wire = wire;
    this.#names = names;
    this.#tail = new Tail({
      wire,
      stream: names.waits,
      subject: `${names.prefix}.v.>`,
      take: (stored) => this.#read(stored),
      forgotten: () => {
        this.#waits.clear();
        this.#waiting.clear();
      },
      isStale: () => {
        if (clock.now() - this.#readAt < STALE_MILLISECONDS) return false;
        this.#met = new Set();
        return true;
      },
      read: (isWhole) => {
        // A server that lags behind may lack what stands.
        if (!isWhole) return;
        this.#readAt = clock.now();
        for (const [id, { key }] of this.#waits)
          if (this.#met?.has(id) === false) this.#take({ version: VERSION, ...key, waits: [] });
        this.#met = undefined;
      },
    });
  }

  /** Replaces what a key waits for. @throws Unsure, BusError */
  async set({ function: name, key }: WorkKey, waits: readonly WaitedObject[]): Promise<void> {
    const message: WaitsMessage = { version: VERSION, function: name, key, waits };
    const headers: Record<string, string> = { "Nats-Rollup": "sub" };
    if (waits.length === 0) headers["Nats-TTL"] = `${CLEARED_SECONDS}s`;
    await this.#wire.store(this.#names.waitsOf(message), JSON.stringify(message), headers);
  }

  /** The items of the keys that wait for an event's object, those apart that the event leads to anyway. */
  itemsFor(event: Envelope, routed: readonly NewItem[]): readonly NewItem[] {
    const waited = waitedObjectOf(event);
    if (waited === undefined) return [];
    return [...(this.#waiting.get(objectName(waited))?.values() ?? [])]
      .filter(
        (key) =>
          !routed.some(
            (item) => item.function === key.function && item.key === key.key && item.cause.revives,
          ),
      )
      .map((key) => ({ function: key.function, key: key.key, ...waitCause(event) }));
  }

  /** The objects that keys wait for and that no watch list covers. */
  async followed(): Promise<readonly WaitedObject[]> {
    await this.caughtUp();
    return followedIn([...this.#waits.values()].flatMap(({ waits }) => waits));
  }

  /** Resolves when all that was set before this call is known. */
  caughtUp(): Promise<void> {
    return this.#tail.caughtUp();
  }

  /** Reads a message. A foreign one says nothing; a key's next ending replaces it. */
  #read(stored: Stored): void {
    const message = readable(() => waitsMessageOf(stored.body));
    if (message === undefined) this.#foreign.met(stored.subject);
    else if (message.version > VERSION) this.#foreign.newer(stored.subject);
    else if (this.#names.waitsOf(message) !== stored.subject) this.#foreign.met(stored.subject);
    else this.#take(message);
  }

  #take({ function: name, key, waits }: WaitsMessage): void {
    const of: WorkKey = { function: name, key };
    const id = keyName(of);
    this.#met?.add(id);
    for (const object of this.#waits.get(id)?.waits ?? []) {
      const keys = this.#waiting.get(objectName(object));
      keys?.delete(id);
      if (keys?.size === 0) this.#waiting.delete(objectName(object));
    }
    if (waits.length === 0) {
      this.#waits.delete(id);
      return;
    }
    this.#waits.set(id, { key: of, waits });
    for (const object of waits) {
      const keys = this.#waiting.get(objectName(object)) ?? new Map<string, WorkKey>();
      keys.set(id, of);
      this.#waiting.set(objectName(object), keys);
    }
  }

  /** The stream was made anew: its numbers begin again, and say nothing of those before. */
  forget(): void {
    this.#tail.forget();
  }
}
