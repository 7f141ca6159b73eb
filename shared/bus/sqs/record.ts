import type { Cause } from "../item.ts";
import { isForgettable } from "../key-state.ts";
import type { Waiting } from "../waiting.ts";
import type { KeyRecord } from "./store.ts";

const DAY = 24 * 3_600_000;
/** The time for which a key's last run and its writes are known, where nothing else is known of the key. */
const ECHOES_MILLISECONDS = 10 * 60_000;
/** The time for which a key's record is kept beyond its last timer. */
const KEPT_MILLISECONDS = 90 * DAY;
/** A timer message that is so much overdue is taken for lost, and sent again. */
const OVERDUE_MILLISECONDS = 120_000;

export const freshRecord: KeyRecord = { attempts: 0, waits: [], deadlines: {}, echoes: [] };

/** Times of all timers of a key, milliseconds since the epoch. */
function timesOf({ deadlines, net, waiting }: KeyRecord): readonly number[] {
  const times = Object.values(deadlines).map((due) => Date.parse(due));
  if (net !== undefined) times.push(net);
  if (waiting !== undefined) times.push(waiting.notBefore);
  return times;
}

/**
 * The time at which the next timer of a key is due; undefined where there is none. A deadline or net that fell due while its run
 * was ending counts too, since nothing else would ring it; a retry that is due has been announced by the host that found it due.
 */
export function nextDue({ waiting, ...timers }: KeyRecord, now: number): number | undefined {
  const times = [
    ...timesOf(timers),
    ...(waiting !== undefined && waiting.notBefore > now ? [waiting.notBefore] : []),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}

/** True where the timer message that is on its way comes in time for the next timer. */
export function alarmComes({ alarm }: KeyRecord, next: number, now: number): boolean {
  return alarm !== undefined && alarm <= next && alarm > now - OVERDUE_MILLISECONDS;
}

/**
 * True where a retry is due: by this host's clock, or by that of the host which rang. Its timer message is no longer on its way
 * then, and nobody would ring again for one whose clock is behind.
 */
export const isAnnounced = ({ alarm }: KeyRecord, notBefore: number, now: number): boolean =>
  notBefore <= now || alarm === undefined || alarm > notBefore;

/**
 * Fires the due timers: the record without them, and the item that they make. A retry stays in the record until a run takes it.
 */
export function fireDue(
  record: KeyRecord,
  now: number,
): { readonly record: KeyRecord; readonly waiting: Waiting | undefined; readonly retry: boolean } {
  const at = new Date(now).toISOString();
  const causeOf = (sort: "deadline" | "net", timer: string, due: number): Cause => {
    const dueAt = new Date(due).toISOString();
    return { sort, eventId: `timer/${timer}/${dueAt}`, type: "timer.due", timer, dueAt, revives: false, at };
  };
  const ripe = Object.entries(record.deadlines).filter(([, due]) => Date.parse(due) <= now);
  const causes = ripe.map(([name, due]) => causeOf("deadline", name, Date.parse(due)));
  const netDue = record.net !== undefined && record.net <= now;
  if (netDue) causes.push(causeOf("net", "net", record.net));
  const { waiting: parked } = record;
  const retry = parked !== undefined && parked.notBefore <= now;
  if (causes.length === 0) return { record, waiting: undefined, retry };
  const names = new Set(ripe.map(([name]) => name));
  return {
    record: {
      ...record,
      net: netDue ? undefined : record.net,
      deadlines: Object.fromEntries(Object.entries(record.deadlines).filter(([name]) => !names.has(name))),
    },
    waiting: {
      lane: ripe.length > 0 ? "urgent" : "sweep",
      causes,
      causesIncomplete: false,
      notBefore: 0,
      enqueuedAt: now,
    },
    retry,
  };
}

/** True where nothing is left to remember of a key. */
export const isEmpty = (record: KeyRecord): boolean =>
  isForgettable(record) &&
  record.echoes.length === 0 &&
  record.run === undefined &&
  record.alone === undefined;

/**
 * The record after a run has ended, with its number. A key of which nothing was known before and of which nothing is to be remembered
 * costs no write, unless its message came again: then another run of it may still believe that it holds the key.
 */
export function numbered(ended: KeyRecord, before: KeyRecord, now: number, cameAgain: boolean): KeyRecord {
  if (!cameAgain && before === freshRecord && isEmpty({ ...ended, run: undefined })) return ended;
  // By the clock, so that it is another one where the record was forgotten in between.
  return { ...ended, run: Math.max((before.run ?? 0) + 1, now) };
}

/**
 * True where another run has ended since `taken` was read, as far as can be told: a record that was forgotten since says nothing
 * of who ended, and the run is repeated.
 */
export const isOvertaken = (record: KeyRecord, taken: KeyRecord): boolean => record.run !== taken.run;

/** The time at which a record may be forgotten. */
export function expiryOf(record: KeyRecord, now: number): number {
  if (isForgettable(record) && record.alone === undefined) return now + ECHOES_MILLISECONDS;
  return Math.max(now, ...timesOf(record)) + KEPT_MILLISECONDS;
}
