import * as z from "zod";
import type { Change } from "./review.ts";

/** A change that the control plane is still to be told of. */
export interface Waiting {
  readonly change: Change;
  /** The times at which it is told, in order, in milliseconds since the epoch. */
  readonly due: readonly number[];
  /** Deliveries in a row that failed. */
  readonly failures: number;
  /** Names the next delivery. The same until it arrived, so that what arrives twice counts once. */
  readonly delivery: string;
}

/**
 * The control plane looks as soon as it is told. The API server asks before it stores, so that look may come too early: it is told again after one
 * second and after five.
 */
const LOOKS = [0, 1_000, 5_000];
const FIRST_RETRY = 250;
/** The longest pause between two tries, in milliseconds. */
export const LONGEST_RETRY = 30_000;

const text = z.string();
const waiting = z.strictObject({
  change: z.strictObject({
    manager: text,
    group: text,
    version: text,
    kind: text,
    namespace: text,
    name: text,
  }),
  due: z.array(z.number()).min(1),
  failures: z.int().min(0),
  delivery: text.min(1),
});
/** Reads what was written down of a change; undefined where it is none, as another version of this program may have written it. */
export const waitingIn = (written: unknown): Waiting | undefined => waiting.safeParse(written).data;

/** Names an object for one manager: a newer change of it takes the place of the former. */
export const keyOf = ({ manager, group, version, kind, namespace, name }: Change): string =>
  JSON.stringify([manager, group, version, kind, namespace, name]);

/** A change that has just been seen. */
export const seenAt = (change: Change, now: number, delivery: string): Waiting => ({
  change,
  due: LOOKS.map((after) => now + after),
  failures: 0,
  delivery,
});

/** The rest after a delivery that began at that time; undefined where all is told. */
export function delivered(waiting: Waiting, began: number, delivery: string): Waiting | undefined {
  const due = waiting.due.filter((at) => at > began && !isAhead(at, began));
  return due.length === 0 ? undefined : { ...waiting, due, failures: 0, delivery };
}

/** The pause after so many failures in a row before this one, in milliseconds: at most half a minute. */
export const pauseAfter = (failures: number): number => Math.min(FIRST_RETRY * 2 ** failures, LONGEST_RETRY);

/** The same after a delivery that failed: it is tried again after a while. */
export function failed(waiting: Waiting, now: number): Waiting {
  const again = now + pauseAfter(waiting.failures);
  const later = waiting.due.filter((at) => at > again);
  return { ...waiting, due: [again, ...later], failures: Math.min(waiting.failures + 1, 30) };
}

/** The change that is told next, and its time. */
export interface Next<W extends Waiting> {
  readonly waiting: W;
  readonly at: number;
}
/**
 * The one that is told first; undefined where nothing waits.
 * @param notBefore the time before which a manager is told nothing, in milliseconds since the epoch
 */
export function firstOf<W extends Waiting>(
  all: Iterable<W>,
  now: number,
  notBefore: (manager: string) => number = () => 0,
): Next<W> | undefined {
  let first: Next<W> | undefined;
  for (const waiting of all) {
    const held = notBefore(waiting.change.manager);
    const at = Math.max(dueOf(waiting, now), isAhead(held, now) ? now : held);
    if (first === undefined || at < first.at) first = { waiting, at };
  }
  return first;
}

/** The time at which something is told next. */
function dueOf({ due }: Waiting, now: number): number {
  const [at = now] = due;
  return isAhead(at, now) ? now : at;
}

/** True for a time that is later than anything waits: the clock has been set back since. */
const isAhead = (at: number, now: number): boolean => at > now + LONGEST_RETRY;
