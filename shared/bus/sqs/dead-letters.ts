import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log/log.ts";
import type { Bus, DeadLetter } from "../contract.ts";
import type { Dead } from "../dead.ts";
import type { Cause, WorkKey } from "../item.ts";
import type { Refused } from "../judge.ts";
import { KEPT_CHARACTERS, KeptRefused, REFUSED } from "../refused.ts";
import { deduplicationIdOf, messageOf } from "./message.ts";
import type { Outbox } from "./outbox.ts";
import { freshRecord } from "./record.ts";
import type { KeyRecords } from "./records.ts";
import type { KeyRecord, StateStore } from "./store.ts";

export interface DeadLettersParts {
  readonly store: StateStore;
  readonly records: KeyRecords;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Log;
  /** All functions whose keys may be here. */
  readonly functions: readonly string[];
  readonly historyMilliseconds: number;
  /** Publishes the text of a refused event once more. True where it is accepted now. */
  readonly republish: (text: string) => Promise<boolean>;
}

function letterOf(key: WorkKey, { dead, event }: KeyRecord): DeadLetter | undefined {
  if (dead === undefined) return undefined;
  const { error, attempts, causes, at } = dead;
  const letter = { function: key.function, key: key.key, error, attempts, causes, at };
  return event === undefined ? letter : { ...letter, event };
}

/** The dead letters (B6): keys whose last attempt failed, and events and messages that were refused. */
export class DeadLetters {
  readonly #parts: DeadLettersParts;
  readonly #kept: KeptRefused;

  constructor(parts: DeadLettersParts) {
    this.#parts = parts;
    this.#kept = new KeptRefused(async () =>
      (await parts.store.keysOf(REFUSED)).flatMap(({ key, record }) =>
        record.dead === undefined ? [] : { key, at: record.dead.at },
      ),
    );
  }

  readonly asked: Bus["deadLetters"] = {
    list: async ({ function: wanted } = {}) => {
      const names = wanted === undefined ? [REFUSED, ...this.#parts.functions] : [wanted];
      const all = await Promise.all(names.map((name) => this.#parts.store.keysOf(name)));
      return all.flat().flatMap(({ record, ...key }) => letterOf(key, record) ?? []);
    },
    show: async (key) => {
      const stored = await this.#parts.store.load(key);
      return stored === undefined ? undefined : letterOf(key, stored.record);
    },
    redrive: (key, askedBy) =>
      key.function === REFUSED ? this.#republish(key) : this.#lookAgain(key, askedBy),
    drop: async (key) => {
      if ((await this.asked.show(key)) === undefined) return false;
      await this.#parts.records.change(key, undefined, (record) =>
        record.dead === undefined ? record : { ...record, dead: undefined, event: undefined, attempts: 0 },
      );
      return true;
    },
  };

  /** Keeps what was refused, under its id. */
  async refuse({ refused: { id, issues }, text }: Refused, now: number): Promise<void> {
    const dead: Dead = {
      error: { code: "EVENT_REFUSED", message: issues.join("; ") },
      attempts: 0,
      causes: [id],
      at: new Date(now).toISOString(),
      subjects: {},
    };
    const record: KeyRecord = { ...freshRecord, dead, event: text.slice(0, KEPT_CHARACTERS) };
    await this.#parts.records.change({ function: REFUSED, key: id }, undefined, () => record);
    for (const key of await this.#kept.add(id)) await this.asked.drop({ function: REFUSED, key });
  }

  /**
   * Keeps a foreign message, and says so as of a run that was given up: whoever counts those (`outcome` is `dead`) hears of
   * it too.
   */
  async keepStrange(
    { id, text, where }: { readonly id: string; readonly text: string; readonly where: string },
    now: number,
  ): Promise<void> {
    const fault = `${where} held a foreign message`;
    await this.refuse({ refused: { index: 0, id, issues: [fault] }, text }, now);
    this.#parts.log.error(
      { function: REFUSED, key: id, outcome: "dead" },
      `${fault}: it is kept among the dead letters`,
    );
  }

  async #republish(key: WorkKey): Promise<boolean> {
    const letter = await this.asked.show(key);
    if (letter?.event === undefined) return false;
    if (await this.#parts.republish(letter.event)) await this.asked.drop(key);
    return true;
  }

  async #lookAgain(key: WorkKey, askedBy: string): Promise<boolean> {
    const { store, records, outbox, clock, historyMilliseconds } = this.#parts;
    const stored = await store.load(key);
    if (stored?.record.dead === undefined) return false;
    const now = clock.now();
    const at = new Date(now).toISOString();
    const eventId = randomUUID();
    const cause: Cause = { sort: "command", eventId, type: "command.redrive", revives: true, at };
    await store.recordEvents(
      [{ id: eventId, type: cause.type, time: at, askedBy }],
      now + historyMilliseconds,
    );
    // The message takes the key out by itself, should this end here.
    const item = { function: key.function, key: key.key, lane: "urgent", cause } as const;
    await outbox.send([
      { work: messageOf(item, now), deduplicationId: deduplicationIdOf(key, "redrive", eventId) },
    ]);
    await records.revive(key, stored);
    return true;
  }
}
