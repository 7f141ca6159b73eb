import { hash } from "node:crypto";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { System } from "../../shared/function/system.ts";
import { jsonOf } from "../../shared/json/parse.ts";
import type { Log } from "../../shared/log/log.ts";
import { functionsOf } from "../systems/declared.ts";
import type { PublishedBefore, Watcher } from "../watcher/index.ts";
import { PUBLISHED_FOR_LIMIT } from "../watcher/lease.ts";
import { changedSince, type Signatures } from "./signatures.ts";
import { sweep } from "./sweep.ts";

/** The bus that a leader published to, and the functions for which. */
interface PublishedFor {
  /** A digest of what tells this bus from another; undefined where the bus does not tell. */
  readonly bus: string | undefined;
  readonly functions: Signatures;
}

/** The present functions. */
export interface BreakFunctions {
  readonly systems: readonly System[];
  readonly signatures: Signatures;
}

export interface BreakParts extends BreakFunctions {
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Between what a break is looked for. */
export interface BreakSides {
  readonly bus: Pick<Bus, "storeId" | "enqueue" | "ready" | "subscribe">;
  readonly watcher: Pick<Watcher, "position">;
  /** Keeps what is published for now: in the Lease, or where a watcher without one remembers it. */
  readonly publishesFor: (text: string) => void;
}

/** The pause between two looks whether the bus was away; nothing is sent for that. */
const LOOK_EVERY = 5_000;
/** The stand-in for functions that are too many to be told one by one. */
const ALL = "*";

/**
 * A break is a sweep: after a bus that was replaced or lost what it kept, and for functions that are new, woken or configured
 * otherwise, or of another version, every key is resynced, in the slow lane. What was last published for stands in the
 * Lease, where all watchers of the cluster see it: the disk of one says nothing of the others; a watcher without a Lease is the only
 * one, and remembers it by itself. It is written there once the sweep is durable, so that who leads next does what a leader left
 * undone. What a lost ledger calls for, the watcher does itself.
 */
export class Breaks {
  readonly #parts: BreakParts;
  #functions: BreakFunctions;
  #sides: BreakSides | undefined;
  #last: PublishedFor | undefined;
  #due = false;
  #running = Promise.resolve();
  #cancel: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: BreakParts) {
    this.#parts = parts;
    this.#functions = parts;
  }

  /** It publishes from now on: for the watcher's `onLead`, or at the start of one without a Lease. */
  led = (before: PublishedBefore): void => {
    this.#last = before.nothing ? undefined : (read(before.for) ?? { bus: undefined, functions: {} });
    this.#due = true;
    this.#work();
  };

  /** Looks when the watcher leads, and again each time that the bus was away or says that it was replaced. */
  start(sides: BreakSides): void {
    this.#sides = sides;
    this.#unsubscribe = sides.bus.subscribe({
      replaced: () => {
        this.#due = true;
      },
    });
    this.#work();
    this.#wait(sides.bus);
  }

  /** These functions are there from now on, and whoever says so had those looked at that changed. */
  use(functions: BreakFunctions): void {
    this.#functions = functions;
    if (this.#last === undefined) return;
    this.#last = { ...this.#last, functions: functions.signatures };
    if (!this.#due) this.#sides?.publishesFor(write(this.#last));
  }

  /** Resolves when nothing is being looked at or swept. */
  settled = (): Promise<void> => this.#running;

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#unsubscribe?.();
    this.#sides = undefined;
    await this.#running;
  }

  #wait(bus: BreakSides["bus"]): void {
    this.#cancel = this.#parts.clock.after(LOOK_EVERY, () => {
      if (!bus.ready()) this.#due = true;
      else this.#work();
      this.#wait(bus);
    });
  }

  #work(): void {
    this.#running = this.#running.then(() => this.#look());
  }

  async #look(): Promise<void> {
    const sides = this.#sides;
    if (!this.#due || sides?.watcher.position().leader !== true) return;
    this.#due = false;
    try {
      const storeId = await sides.bus.storeId?.();
      this.#last = await this.#sweep(sides.bus, storeId === undefined ? undefined : digest(storeId));
      sides.publishesFor(write(this.#last));
    } catch (thrown) {
      // What was known last stays, so that the next look finds the same.
      this.#due = true;
      const { log } = this.#parts;
      log.warn({ error: messageOf(thrown) }, "the check for a break failed: trying again");
    }
  }

  /** Resolves when all that is concerned is going to be looked at, with what is published for from now on. */
  async #sweep(bus: BreakSides["bus"], storeId: string | undefined): Promise<PublishedFor> {
    const { cluster, log, clock } = this.#parts;
    const { systems, signatures } = this.#functions;
    const last = this.#last;
    const isReplaced = last !== undefined && last.bus !== storeId && Object.keys(last.functions).length > 0;
    const changed = new Set(isReplaced ? Object.keys(signatures) : changedOf(last, signatures));
    const concerned = functionsOf(systems).filter(({ name }) => changed.has(name));
    if (concerned.length > 0) {
      const because = isReplaced ? "bus.replaced" : "function.changed";
      await sweep(bus, concerned, { because, cluster, signatures, now: clock.now() });
      log.info(
        { because, functions: concerned.map(({ name }) => name) },
        "resyncing every key of these functions",
      );
    }
    return { bus: storeId, functions: signatures };
  }
}

const digest = (text: string): string => hash("sha256", text, "base64url").slice(0, 16);

function changedOf(last: PublishedFor | undefined, now: Signatures): readonly string[] {
  if (last === undefined) return [];
  if (last.functions[ALL] === undefined) return changedSince(last.functions, now);
  return last.functions[ALL] === digest(JSON.stringify(now)) ? [] : Object.keys(now);
}

function write(published: PublishedFor): string {
  const text = JSON.stringify(published);
  if (text.length <= PUBLISHED_FOR_LIMIT) return text;
  return JSON.stringify({ ...published, functions: { [ALL]: digest(JSON.stringify(published.functions)) } });
}

/** Undefined where it says nothing that can be compared: as good as published for nobody. */
function read(text: string | undefined): PublishedFor | undefined {
  if (text === undefined) return undefined;
  // Somebody else may have written there.
  const found = jsonOf(text) as Partial<PublishedFor> | null | undefined;
  return typeof found?.functions === "object" && found.functions !== null
    ? { bus: found.bus, functions: found.functions }
    : undefined;
}
