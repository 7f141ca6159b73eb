import { boundedState } from "../bounded.ts";
import type { Echo } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { WorkKey } from "../item.ts";
import { freshKey, isForgettable, type KeyState } from "../key-state.ts";
import { REFUSED_DAYS } from "../refused.ts";
import type { Names } from "./names.ts";
import { VERSION } from "./version.ts";
import type { Stored, Wire, Written } from "./wire.ts";

/**
 * NATS' record of one (F, K), in one message that is written by compare-and-set: lock, attempt counter, back-off, timers and dead
 * letter. Its sequence is the fencing token.
 */
export interface StateRecord extends WorkKey {
  readonly version: number;
  /** New at every write: with it a writer knows its own, and a hint what it is about. */
  readonly id: string;
  /** The host that runs the key. */
  readonly owner?: string | undefined;
  readonly state: KeyState;
  /** Up to which message of each lane the state accounts for: those that come again are acknowledged. */
  readonly covered: Readonly<Record<string, number>>;
  /** Another host had part of it in its hands: what was delivered there comes again after its time. */
  readonly inherited?: boolean | undefined;
  /** The conditional writes of its last runs, and when the last one ended (milliseconds since the epoch). */
  readonly echoes?: readonly Echo[] | undefined;
  readonly endedAt?: number | undefined;
  /** A refused event's text. */
  readonly event?: string | undefined;
}

export interface KnownState {
  readonly seq: number;
  readonly record: StateRecord;
}

/** The life of a record that only remembers the last run, in seconds. */
const REMEMBERED_SECONDS = 2;
/** The same where it knows echoes: as long as they may come late. */
const ECHO_SECONDS = 10;
/** No timer of the server is longer; what is later hops. */
const LONGEST_SECONDS = 30 * 24 * 3_600;

/** The time at which the key must be looked at, in milliseconds since the epoch; undefined where no time matters. */
export function dueOf(state: KeyState): number | undefined {
  if (state.dead !== undefined) return undefined;
  const times = [
    ...(state.waiting === undefined ? [] : [state.waiting.notBefore]),
    ...(state.net === undefined ? [] : [state.net]),
    ...Object.values(state.deadlines).map((due) => Date.parse(due)),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}

export class StateStore {
  readonly #wire: Wire;
  readonly #names: Names;
  readonly #leaseSeconds: number;
  readonly #foreign: (subject: string) => void;

  /** @param foreign called with each subject that holds a foreign message, whenever it is met in a list */
  constructor(
    wire: Wire,
    names: Names,
    leaseMilliseconds: number,
    foreign: (subject: string) => void = () => undefined,
  ) {
    this.#foreign = foreign;
    this.#wire = wire;
    this.#names = names;
    this.#leaseSeconds = Math.ceil(leaseMilliseconds / 1000);
  }

  /**
   * Reads the state of a key. A foreign message reads as a record that knows nothing.
   * @throws Unsure, BusError `BUS_NEWER`
   */
  async get(key: WorkKey): Promise<KnownState | undefined> {
    const stored = await this.#wire.last(this.#names.state, this.#names.record(key));
    if (stored === undefined) return undefined;
    const known = readable(() => knownOf(stored));
    if (known !== undefined) return known;
    // It counts as absent, and the next write takes its place.
    this.#foreign(stored.subject);
    const { function: name, key: text } = key;
    const record = { version: VERSION, id: "", function: name, key: text, covered: {}, state: freshKey };
    return { seq: stored.seq, record };
  }

  /** All records of a function, or of all: what somebody else wrote among them hides no other. @throws Unsure */
  async *list(name?: string): AsyncGenerator<KnownState> {
    for await (const stored of this.#wire.list(this.#names.state, this.#names.recordsOf(name))) {
      const known = readable(() => knownOf(stored));
      if (known === undefined) this.#foreign(stored.subject);
      else yield known;
    }
  }

  /**
   * Writes where version `expected` still stands (0: none; undefined: whatever stands there). What says when it is to be looked
   * at again becomes a schedule, so that the server announces an expired lease or a due timer.
   * @throws Unsure, BusError
   */
  put(record: StateRecord, expected: number | undefined, now: number): Promise<Written> {
    const text = JSON.stringify({ ...record, state: boundedState(record.state, this.#wire.mostBytes / 8) });
    return this.#wire.store(this.#names.record(record), text, {
      ...(expected !== undefined && { "Nats-Expected-Last-Subject-Sequence": String(expected) }),
      ...this.#headersOf(record, now),
    });
  }

  #headersOf(record: StateRecord, now: number): Readonly<Record<string, string>> {
    const { state } = record;
    const due = state.running === undefined ? dueOf(state) : undefined;
    const seconds =
      state.running !== undefined
        ? this.#leaseSeconds
        : due === undefined
          ? undefined
          : Math.min(LONGEST_SECONDS, Math.max(1, Math.ceil((due - now) / 1000)));
    if (seconds !== undefined)
      return {
        "Nats-Schedule": `@every ${seconds}s`,
        "Nats-Schedule-Target": this.#names.hint(record),
        "Nats-Schedule-Rollup": "sub",
      };
    // Not by a limit a subject: what that displaces comes back when the server is killed.
    if (record.event !== undefined)
      return { "Nats-Rollup": "sub", "Nats-TTL": `${REFUSED_DAYS * 24 * 3_600}s` };
    if (!isForgettable(state)) return { "Nats-Rollup": "sub" };
    return { "Nats-Rollup": "sub", "Nats-TTL": `${this.#lifeOf(record)}s` };
  }

  #lifeOf({ echoes = [], inherited = false }: StateRecord): number {
    if (inherited) return this.#leaseSeconds * 3;
    return echoes.length > 0 ? ECHO_SECONDS : REMEMBERED_SECONDS;
  }
}

/** The parsed text; undefined where it is no JSON, or has not the fields that every message of ours has. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

/** True for a record, as far as others than the key's own run read it. */
const isRecord = ({ function: name, key, covered, state }: Partial<StateRecord>): boolean =>
  typeof name === "string" &&
  typeof key === "string" &&
  isFields(covered) &&
  isFields(state) &&
  isFields(state.deadlines) &&
  Array.isArray(state.waits);

const isFields = (value: object | undefined): value is object => typeof value === "object" && value !== null;

function knownOf(stored: Stored): KnownState {
  const record = JSON.parse(new TextDecoder().decode(stored.body)) as StateRecord;
  // Before its shape is looked at, which may be another one there.
  if (record.version > VERSION)
    throw new BusError("BUS_NEWER", "A newer version of Reveille wrote to this bus: update this one.");
  if (!isRecord(record)) throw new TypeError(`${stored.subject} holds no record`);
  return { seq: stored.seq, record };
}

/** The echoes that can still be told from news. */
export const echoesOf = ({ echoes = [], endedAt = 0 }: StateRecord, now: number): readonly Echo[] =>
  now - endedAt < ECHO_SECONDS * 1000 ? echoes : [];
