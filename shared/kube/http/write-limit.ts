/** The number of writes in flight at which a client begins: a single write slows beyond it. */
const FIRST = 8;
/** Answers that one measurement takes at least. */
const LEAST_ANSWERS = 8;
/** The factor of a step while nothing was refused yet. */
const STEP = 1.5;
/** A larger answer time per write in flight than this, against that of the smaller number: the step brought nothing. */
const GROWN = 1.1;
/** Larger by this factor than at best with the same number: the server has become slower, perhaps for fewer too. */
const SLOWER = 1.5;
/** Measurements to wait for after a step that brought nothing, and after a refusal, before the next step. */
const REST = { useless: 16, refused: 4 } as const;
/** Never fewer, so that one write that takes long does not hold up all others. */
const FEWEST = 2;

/** The number of writes in flight, and what a write then cost: its answer time per write in flight. */
interface Measured {
  readonly size: number;
  readonly cost: number;
}

/**
 * Decides how many writes one server gets at once. The answer time per write in flight is the time that the server takes for one of
 * them: while it does not grow with their number, more of them end sooner. The number grows only while all places are taken, steps
 * back where the server works no faster, and is halved where the server refuses or does not answer.
 */
export class WriteLimit {
  readonly #most: number;
  #size: number;
  /** The measurement of the number before the last step up; undefined where there was none. */
  #smaller: Measured | undefined;
  /** The same for a step down, taken because the server had become slower. */
  #larger: Measured | undefined;
  /** The best measurement at the present number. */
  #best: number | undefined;
  /** True where the last measurement was much worse than the best. */
  #isSlower = false;
  /** True once the server refused: from then on it grows by one. */
  #isCareful = false;
  #rest = 0;
  #answers = 0;
  #sum = 0;
  /** The time of the last change of the number: what was sent before says nothing about it. */
  #since = Number.NEGATIVE_INFINITY;

  /** @param most the number of writes in flight at most */
  constructor(most: number) {
    this.#most = most;
    this.#size = Math.min(FIRST, most);
  }

  /** The number of writes in flight from now on. */
  get size(): number {
    return this.#size;
  }

  /** A write that was sent while all places were taken was answered. */
  answered(sentAt: number, now: number): void {
    if (sentAt <= this.#since) return;
    this.#sum += Math.max(0, now - sentAt);
    if (++this.#answers < Math.max(LEAST_ANSWERS, this.#size)) return;
    const cost = this.#sum / this.#answers / this.#size;
    this.#answers = 0;
    this.#sum = 0;
    this.#measured(cost, now);
  }

  /** The server refused a write as one too many, or did not answer it in time. Those that were sent together count once. */
  refused(sentAt: number, now: number): void {
    if (sentAt <= this.#since) return;
    this.#isCareful = true;
    this.#smaller = undefined;
    this.#larger = undefined;
    this.#rest = REST.refused;
    this.#become(Math.min(this.#most, Math.max(FEWEST, Math.floor(this.#size / 2))), now);
  }

  #measured(cost: number, now: number): void {
    const smaller = this.#smaller;
    const larger = this.#larger;
    this.#smaller = undefined;
    this.#larger = undefined;
    if (smaller !== undefined && cost > smaller.cost * GROWN) {
      this.#rest = REST.useless;
      this.#become(smaller.size, now);
      return;
    }
    const best = this.#best ?? cost;
    this.#best = Math.min(best, cost);
    const helped = larger !== undefined && cost * GROWN < larger.cost;
    const wasSlower = this.#isSlower;
    this.#isSlower = cost > best * SLOWER;
    // Said twice: the first measurement may still hold answers of before.
    if (this.#isSlower && !wasSlower) return;
    if (this.#size > FIRST && (helped || this.#isSlower)) {
      this.#rest = 0;
      this.#larger = { size: this.#size, cost };
      this.#become(Math.max(FIRST, Math.floor(this.#size / STEP)), now);
      return;
    }
    if (this.#rest > 0) this.#rest--;
    else if (this.#size < this.#most) {
      this.#smaller = { size: this.#size, cost };
      const next = this.#isCareful ? this.#size + 1 : Math.ceil(this.#size * STEP);
      this.#become(Math.min(this.#most, next), now);
    }
  }

  #become(size: number, now: number): void {
    this.#size = size;
    this.#since = now;
    this.#best = undefined;
    this.#isSlower = false;
    this.#answers = 0;
    this.#sum = 0;
  }
}
