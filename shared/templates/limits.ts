import { LimitFault } from "./errors.ts";

/** The bounds of one rendering. All work is counted, so they bound its time as well, and the same template ends at the same place everywhere. */
export interface TemplateLimits {
  /** Actions, calls, items of lists and characters of searches. */
  readonly steps: number;
  /** All text that is made, output and intermediate. */
  readonly bytes: number;
  /** The levels to which bodies, parentheses, templates and values may nest. */
  readonly depth: number;
  /** The items of one list, the rounds of one `range`. */
  readonly items: number;
}

/** The bounds where a caller names none. The largest package that is known needs a hundredth of them. */
export const DEFAULT_LIMITS: TemplateLimits = {
  steps: 2_000_000,
  bytes: 32 * 1024 * 1024,
  depth: 250,
  items: 1_000_000,
};

/** The account of one rendering. */
export class Budget {
  readonly limits: TemplateLimits;
  #steps = 0;
  #bytes = 0;
  #depth = 0;

  constructor(limits: Partial<TemplateLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** @throws LimitFault */
  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > this.limits.steps)
      throw new LimitFault(`it takes more than ${this.limits.steps} steps`);
  }

  /** @throws LimitFault */
  bytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.limits.bytes)
      throw new LimitFault(`it makes more than ${this.limits.bytes} bytes of text`);
  }

  /** Asked before a list is made. @throws LimitFault */
  items(count: number | bigint): void {
    if (count > this.limits.items)
      throw new LimitFault(`it makes or walks a list of more than ${this.limits.items} items`);
    this.step(Number(count));
  }

  /** One level deeper; each is followed by `leave`, unless an error ends the rendering. @throws LimitFault */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > this.limits.depth)
      throw new LimitFault(`it nests more than ${this.limits.depth} levels deep`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** For values, which hold each other without end where one was put into itself. @throws LimitFault */
  within(depth: number): void {
    this.step();
    if (depth > this.limits.depth)
      throw new LimitFault(`it holds values that nest more than ${this.limits.depth} levels deep`);
  }
}
