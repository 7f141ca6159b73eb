import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock/clock.ts";
import type { Bus, DeadLetter } from "../contract.ts";
import type { Cause, WorkKey } from "../item.ts";
import { REFUSED } from "../refused.ts";
import type { HistoryWriter } from "./history.ts";
import { pause } from "./pause.ts";
import type { KnownState, StateRecord, StateStore } from "./store.ts";
import { unique } from "./unique.ts";
import { Unsure } from "./wire.ts";
import type { WorkStore } from "./work-store.ts";

const TRIES = 20;
const PAUSE_MILLISECONDS = 100;

function letterOf({ record }: KnownState): DeadLetter | undefined {
  const { state, function: name, key, event } = record;
  if (state.dead === undefined) return undefined;
  const { error, attempts, causes, at } = state.dead;
  return { function: name, key, error, attempts, causes, at, ...(event !== undefined && { event }) };
}

/** The dead letters (B6): the records of keys whose last attempt failed, and of events that were refused. */
export function openDeadLetters(parts: {
  readonly states: StateStore;
  readonly work: WorkStore;
  readonly history: HistoryWriter;
  readonly clock: Clock;
  /** Publishes the text of a refused event once more. True where it is accepted now. */
  readonly republish: (text: string) => Promise<boolean>;
}): Bus["deadLetters"] {
  const { states, work, history, clock } = parts;

  /** Writes what `change` makes of a dead key, however often others come between. False where it is not dead. */
  const changeDead = async (key: WorkKey, change: (record: StateRecord) => StateRecord): Promise<boolean> => {
    for (let attempt = 1; ; attempt++)
      try {
        const found = await states.get(key);
        if (found?.record.state.dead === undefined) return false;
        const written = await states.put({ ...change(found.record), id: unique() }, found.seq, clock.now());
        if (written.state === "stored") return true;
      } catch (thrown) {
        if (!(thrown instanceof Unsure) || attempt === TRIES) throw thrown;
        await pause(PAUSE_MILLISECONDS);
      }
  };
  const drop = (key: WorkKey): Promise<boolean> =>
    changeDead(key, ({ event: _, ...record }) => ({
      ...record,
      state: { ...record.state, dead: undefined, attempts: 0 },
    }));

  return {
    async list({ function: wanted } = {}) {
      const letters: DeadLetter[] = [];
      for await (const known of states.list(wanted)) {
        const letter = letterOf(known);
        if (letter !== undefined) letters.push(letter);
      }
      return letters.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
    },
    async show(key) {
      const known = await states.get(key);
      return known === undefined ? undefined : letterOf(known);
    },
    async redrive(key, askedBy) {
      const known = await states.get(key);
      if (known?.record.state.dead === undefined) return false;
      if (key.function === REFUSED) {
        const { event } = known.record;
        if (event === undefined) return false;
        if (await parts.republish(event)) await drop(key);
        return true;
      }
      const at = new Date(clock.now()).toISOString();
      const cause: Cause = {
        sort: "command",
        eventId: randomUUID(),
        type: "command.redrive",
        revives: true,
        at,
      };
      await history.events([{ id: cause.eventId, type: cause.type, time: at, askedBy }]);
      await work.enqueue([{ function: key.function, key: key.key, lane: "urgent", cause }]);
      return true;
    },
    drop,
  };
}
