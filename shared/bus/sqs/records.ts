import type { Clock } from "../../clock/clock.ts";
import { boundedState } from "../bounded.ts";
import type { WaitedObject } from "../contract.ts";
import { isFollowed } from "../followed.ts";
import type { WorkKey } from "../item.ts";
import { objectName } from "../key-name.ts";
import type { Waiting } from "../waiting.ts";
import type { Outbox } from "./outbox.ts";
import { alarmComes, expiryOf, freshRecord, isEmpty, nextDue } from "./record.ts";
import type { KeyRecord, StateStore, StoredKey } from "./store.ts";

/** The most bytes of a waiting sweep, and of one that a dead key owes: both lie in one item of 400 KB, with its waits. */
const SWEEP_BYTES = 100_000;

/** The notes of a wait differ where it is followed from now on. */
const noteName = (object: WaitedObject): string => `${isFollowed(object)} ${objectName(object)}`;

/** The waits of `a` that `b` has not, by their names. */
function without(
  a: readonly WaitedObject[],
  b: readonly WaitedObject[],
  nameOf: (object: WaitedObject) => string,
): readonly WaitedObject[] {
  const others = new Set(b.map(nameOf));
  const named = new Map(a.map((object) => [nameOf(object), object]));
  return [...named].flatMap(([name, object]) => (others.has(name) ? [] : object));
}

/** Changes of key records, with the timer message and the notes of waits that go with them. */
export class KeyRecords {
  readonly #store: StateStore;
  readonly #outbox: Outbox;
  readonly #clock: Clock;

  constructor(parts: { readonly store: StateStore; readonly outbox: Outbox; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#outbox = parts.outbox;
    this.#clock = parts.clock;
  }

  /**
   * Changes a record against whatever it is at that moment. What the record promises is on its way before it is written: a timer
   * message, a note under each object that is waited for. `change` may be called more than once.
   */
  async change(
    key: WorkKey,
    known: StoredKey | undefined,
    change: (record: KeyRecord) => Promise<KeyRecord> | KeyRecord,
  ): Promise<void> {
    for (let stored = known ?? (await this.#load(key)); ; stored = await this.#load(key)) {
      const record = await change(stored.record);
      if (record === stored.record || (isEmpty(record) && stored.version === 0)) return;
      const noted = without(record.waits, stored.record.waits, noteName);
      if (noted.length > 0) await this.#store.addWaits(key, noted);
      if (!(await this.#save(key, await this.#withAlarm(key, record), stored.version))) continue;
      const gone = without(stored.record.waits, record.waits, objectName);
      if (gone.length > 0) await this.#store.removeWaits(key, gone);
      return;
    }
  }

  /** Takes a key out of the dead letters; what a failed sweep owed stays until a run has ended. Returns what is stored then. */
  async revive(key: WorkKey, known: StoredKey): Promise<StoredKey> {
    const enqueuedAt = this.#clock.now();
    await this.change(key, known, (record) => {
      const { dead } = record;
      if (dead === undefined) return record;
      const owed: Waiting = {
        lane: "sweep",
        causes: [],
        causesIncomplete: true,
        sweep: dead.sweep,
        notBefore: 0,
        enqueuedAt,
      };
      return {
        ...record,
        dead: undefined,
        attempts: 0,
        waiting: dead.sweep === undefined ? undefined : owed,
      };
    });
    return this.#load(key);
  }

  async #load(key: WorkKey): Promise<StoredKey> {
    return (await this.#store.load(key)) ?? { record: freshRecord, version: 0 };
  }

  #save(key: WorkKey, record: KeyRecord, version: number): Promise<boolean> {
    return isEmpty(record)
      ? this.#store.save(key, undefined, version)
      : this.#store.save(
          key,
          boundedState(record, SWEEP_BYTES),
          version,
          expiryOf(record, this.#clock.now()),
        );
  }

  async #withAlarm(key: WorkKey, record: KeyRecord): Promise<KeyRecord> {
    const now = this.#clock.now();
    const next = nextDue(record, now);
    if (next === undefined)
      return record.alarm === undefined || record.alarm > now ? record : { ...record, alarm: undefined };
    if (alarmComes(record, next, now)) return record;
    await this.#outbox.alarm(key, next);
    return { ...record, alarm: next };
  }
}
