import type { Clock } from "../../clock/clock.ts";

/** The part that one answer has in what is usual. */
const WEIGHT = 1 / 16;
/** Up to this usual time nobody waits longer for anybody, in milliseconds. */
const QUICK = 300;
/** The most times that limits are made longer. */
const MOST = 3;
/** The time after which what was usual says nothing any more, in milliseconds. */
const FORGOTTEN = 60_000;

/**
 * The time that the clusters of a process take to answer. Where all are slow, this process or what lies before them has too much to do, and
 * that one is slow as well says nothing of it.
 */
export class AnswerTimes {
  readonly #clock: Pick<Clock, "now">;
  #usual = 0;
  #at = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** One of them answered after so many milliseconds. */
  took(milliseconds: number): void {
    const before = this.#isForgotten ? milliseconds : this.#usual;
    this.#usual = before + (milliseconds - before) * WEIGHT;
    this.#at = this.#clock.now();
  }

  /** A limit for one of them, in milliseconds: longer where all are slow, by three times at most. */
  limit(milliseconds: number): number {
    const times = this.#isForgotten ? 1 : Math.min(MOST, Math.max(1, this.#usual / QUICK));
    return Math.round(milliseconds * times);
  }

  get #isForgotten(): boolean {
    return this.#clock.now() - this.#at > FORGOTTEN;
  }
}
