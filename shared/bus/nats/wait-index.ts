import type { Envelope } from "../../../events/index.ts";
import type { WaitedObject } from "../contract.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { waitCause, waitedObjectOf } from "../wait-cause.ts";
import type { Names } from "./names.ts";
import { pause } from "./pause.ts";
import { VERSION } from "./version.ts";
import { statusOf, Unsure, type Wire } from "./wire.ts";

interface WaitsMessage extends WorkKey {
  readonly version: number;
  readonly waits: readonly WaitedObject[];
}

/** How long what waits for nothing any more is told, in seconds: publishers that were away read all anew. */
const CLEARED_SECONDS = 3_600;
const TRIES = 20;
const PAUSE_MILLISECONDS = 200;
/** The JetStream API's code for an empty answer. */
const NO_MESSAGE = 10037;
const LAG_TRIES = 5;
const LAG_MILLISECONDS = 50;

const nameOf = ({ cluster, group, kind, namespace = "", name }: WaitedObject): string =>
  `${cluster}\n${group}\n${kind}\n${namespace}\n${name}`;
const keyNameOf = ({ function: name, key }: WorkKey): string => `${name}\n${key}`;

/**
 * Which keys wait for which objects (B11). It is written by whoever ends a run; whoever publishes keeps all of it in memory
 * and reads what is new before each publishing.
 */
export class WaitIndex {
  readonly #wire: Wire;
  readonly #names: Names;
  readonly #waits = new Map<string, { readonly key: WorkKey; readonly waits: readonly WaitedObject[] }>();
  readonly #waiting = new Map<string, Map<string, WorkKey>>();
  #seen = 0;
  #looking: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(wire: Wire, names: Names) {
    this.#wire = wire;
    this.#names = names;
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
    return [...(this.#waiting.get(nameOf(waited))?.values() ?? [])]
      .filter(
        (key) =>
          !routed.some(
            (item) => item.function === key.function && item.key === key.key && item.cause.revives,
          ),
      )
      .map((key) => ({ function: key.function, key: key.key, ...waitCause(event) }));
  }

  /** Resolves when all that was set before this call is known. One look serves all who ask while another is under way. */
  caughtUp(): Promise<void> {
    if (this.#looking === undefined) {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    this.#next ??= this.#looking.then(
      () => this.#again(),
      () => this.#again(),
    );
    return this.#next;
  }

  #again(): Promise<void> {
    this.#next = undefined;
    return this.caughtUp();
  }

  async #look(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const last = await this.#lastSequence();
        // A stream that was made anew begins again.
        if (last < this.#seen) this.forget();
        if (last === this.#seen) return;
        for await (const { seq, body } of this.#wire.list(this.#names.waits, `${this.#names.prefix}.v.>`, {
          from: this.#seen + 1,
        })) {
          this.#take(JSON.parse(new TextDecoder().decode(body)) as WaitsMessage);
          this.#seen = seq;
        }
        // The newest message stands until it is replaced: without it a server was asked that lags behind.
        if (this.#seen < last && attempt < LAG_TRIES) {
          await pause(LAG_MILLISECONDS);
          continue;
        }
        this.#seen = Math.max(this.#seen, last);
        return;
      } catch (thrown) {
        if (!(thrown instanceof Unsure) || attempt === TRIES) throw thrown;
        await pause(PAUSE_MILLISECONDS);
      }
    }
  }

  async #lastSequence(): Promise<number> {
    const { prefix, waits } = this.#names;
    const newest = JSON.stringify({ last_by_subj: `${prefix}.v.>` });
    // Asked of the leader: another server may lag behind what was acknowledged.
    const answer = await this.#wire.request(`$JS.API.STREAM.MSG.GET.${waits}`, newest);
    if (statusOf(answer) !== 0) throw new Unsure(`the newest message of ${waits}`);
    const { message, error } = answer.json<{
      readonly message?: { readonly seq?: number };
      readonly error?: { readonly err_code?: number };
    }>();
    if (error?.err_code === NO_MESSAGE) return 0;
    if (message?.seq === undefined) throw new Unsure(`the newest message of ${waits}`);
    return message.seq;
  }

  #take({ function: name, key, waits }: WaitsMessage): void {
    const of: WorkKey = { function: name, key };
    const id = keyNameOf(of);
    for (const object of this.#waits.get(id)?.waits ?? []) {
      const keys = this.#waiting.get(nameOf(object));
      keys?.delete(id);
      if (keys?.size === 0) this.#waiting.delete(nameOf(object));
    }
    if (waits.length === 0) {
      this.#waits.delete(id);
      return;
    }
    this.#waits.set(id, { key: of, waits });
    for (const object of waits) {
      const keys = this.#waiting.get(nameOf(object)) ?? new Map<string, WorkKey>();
      keys.set(id, of);
      this.#waiting.set(nameOf(object), keys);
    }
  }

  /** The stream was made anew: its numbers begin again, and say nothing of those before. */
  forget(): void {
    this.#seen = 0;
    this.#waits.clear();
    this.#waiting.clear();
  }
}
