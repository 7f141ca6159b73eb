import type { Clock } from "../../shared/clock/clock.ts";

/** The milliseconds that each scrape may take to find something out: a thirtieth of the time between two. */
const QUICK = 500;
/** An answer that took longer counts for so many times as long, and for no more than `LONGEST` milliseconds. */
const TIMES = 30;
const LONGEST = 120_000;

/**
 * One look for all gauges of a scrape. An answer that took long counts for later scrapes too: of thousands of keys or objects they would else keep the
 * bus, the API server and this process at work where nothing happens.
 * @param isWhole false for an answer that no later scrape may have
 */
export function sharedLook<T>(
  look: () => Promise<T>,
  clock: Pick<Clock, "now">,
  isWhole: (answer: T) => boolean,
): () => Promise<T> {
  let last: { readonly answer: Promise<T>; since: number; milliseconds: number } | undefined;
  return () => {
    const began = clock.now();
    const age = began - (last?.since ?? 0);
    // A clock that was set back would keep it for as long.
    if (last !== undefined && age >= 0 && age < last.milliseconds) return last.answer;
    const mine = { answer: look(), since: began, milliseconds: Number.POSITIVE_INFINITY };
    last = mine;
    mine.answer.then(
      (answer) => {
        mine.since = clock.now();
        const took = mine.since - began;
        mine.milliseconds = took > QUICK && isWhole(answer) ? Math.min(took * TIMES, LONGEST) : 0;
      },
      () => {
        mine.milliseconds = 0;
      },
    );
    return mine.answer;
  };
}
