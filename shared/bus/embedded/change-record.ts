import type { KeyState } from "../key-state.ts";
import type { MemoryLine } from "../memory.ts";
import type { LoadedKey } from "./key-table.ts";
import type { Letter } from "./refused-table.ts";
import type { TimerChange } from "./timers.ts";
import type { Transaction } from "./writer.ts";

/** A transaction as the journal tells it: what it changed, as it was then. Names are short, for each is written a million times. */
interface ChangeRecord {
  /** Keys: function, key, place in the lane, time of the change, state. */
  readonly k?: readonly (readonly [string, string, number, number, KeyState])[];
  /** Timers. */
  readonly t?: readonly TimerChange[];
  /** Refused events that are kept. */
  readonly r?: readonly Letter[];
  /** The ids of refused events that are forgotten. */
  readonly d?: readonly string[];
  /** Lines of memories: the name of each, what it learned. */
  readonly m?: readonly (readonly [string, unknown])[];
}

export function recordOf({ keys, timers, refused, lines }: Transaction): Uint8Array {
  const letters = [...refused.values()].filter((letter) => letter !== undefined);
  const dropped = [...refused].flatMap(([id, letter]) => (letter === undefined ? [id] : []));
  const record: ChangeRecord = {
    ...(keys.size > 0 && {
      k: Array.from(keys.values(), ({ key, at }) => [key.function, key.key, key.seq, at, key.state] as const),
    }),
    ...(timers.size > 0 && { t: [...timers.values()] }),
    ...(letters.length > 0 && { r: letters }),
    ...(dropped.length > 0 && { d: dropped }),
    ...(lines.length > 0 && { m: lines.map(({ of, line }) => [of, line] as const) }),
  };
  return Buffer.from(JSON.stringify(record));
}

/** The place where a record's changes are made again. */
export interface Replay {
  key(key: LoadedKey, at: number): void;
  timer(timer: TimerChange): void;
  refused(id: string, letter: Letter | undefined): void;
}

export function replay(record: unknown, { key: setKey, timer: setTimer, refused }: Replay): void {
  const { k = [], t = [], r = [], d = [] } = record as ChangeRecord;
  for (const [name, key, seq, at, state] of k) setKey({ function: name, key, seq, state }, at);
  for (const timer of t) setTimer(timer);
  for (const letter of r) refused(letter.id, letter);
  for (const id of d) refused(id, undefined);
}

/** The lines of memories in a record. */
export const linesIn = (record: unknown): MemoryLine[] =>
  ((record as ChangeRecord).m ?? []).map(([of, line]) => ({ of, line }));
