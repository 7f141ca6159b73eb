import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock/clock.ts";
import type { Bus, DeadLetter } from "../contract.ts";
import type { Cause } from "../item.ts";
import { REFUSED } from "../refused.ts";
import type { LoadedKey } from "./key-table.ts";
import type { RefusedTable } from "./refused-table.ts";
import type { KeyStore } from "./store.ts";
import type { Writer } from "./writer.ts";

/** The dead letter of a key, if it has one. */
export function letterOfKey({ function: name, key, state }: LoadedKey): DeadLetter | undefined {
  if (state.dead === undefined) return undefined;
  const { error, attempts, causes, at } = state.dead;
  return { function: name, key, error, attempts, causes, at };
}

/** The dead letters (B6): keys whose last attempt failed, and events that were refused. */
export function openDeadLetters(parts: {
  readonly store: KeyStore;
  readonly refused: RefusedTable;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Publishes the text of a refused event once more. True where it is accepted now. */
  readonly republish: (text: string) => Promise<boolean>;
}): Bus["deadLetters"] {
  const { store, refused, writer, clock } = parts;
  return {
    list: async ({ function: wanted } = {}) => {
      const keys = store.dead().flatMap((key) => letterOfKey(key) ?? []);
      return [...refused.list(), ...keys].filter(
        (letter) => wanted === undefined || letter.function === wanted,
      );
    },
    show: async (key) => (key.function === REFUSED ? refused.show(key.key) : letterOfKey(store.peek(key))),
    redrive: async (key, askedBy) => {
      if (key.function === REFUSED) {
        const letter = refused.show(key.key);
        if (letter?.event === undefined) return false;
        if (await parts.republish(letter.event))
          await writer.submit((transaction) => transaction.refused.set(key.key, undefined));
        return true;
      }
      return writer.submit((transaction) => {
        if (store.load(transaction, key).state.dead === undefined) return false;
        const now = clock.now();
        const at = new Date(now).toISOString();
        const eventId = randomUUID();
        const cause: Cause = { sort: "command", eventId, type: "command.redrive", revives: true, at };
        transaction.events.push({ event: { id: eventId, type: cause.type, time: at, askedBy }, at: now });
        store.enqueue(transaction, { function: key.function, key: key.key, lane: "urgent", cause }, now);
        return true;
      });
    },
    drop: (key) =>
      writer.submit((transaction) => {
        if (key.function === REFUSED) {
          if (!refused.has(key.key)) return false;
          transaction.refused.set(key.key, undefined);
          return true;
        }
        const found = store.load(transaction, key);
        if (found.state.dead === undefined) return false;
        store.change(transaction, found, { ...found.state, dead: undefined, attempts: 0 }, clock.now());
        return true;
      }),
  };
}
