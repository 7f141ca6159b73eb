import type { Clock } from "../../../shared/clock/clock.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { Log } from "../../../shared/log/log.ts";
import type { AwaitedObject, KeepsWaits } from "./waits.ts";

/** The time after which it is asked anew who still waits, while something is followed. */
const ASK_MILLISECONDS = 30_000;
/** An answer may be a quarter of a minute old, and what is told may be ahead of what the bus answers. */
const YOUNG_MILLISECONDS = 25_000;

/** True for a wait that has only just been told: an answer that lacks it does not end it. */
export const isYoung = (since: number, clock: Clock): boolean => clock.now() - since < YOUNG_MILLISECONDS;

/** The pause after a question that failed. */
export const AGAIN_MILLISECONDS = 5_000;

export interface WaitsQuestionParts {
  readonly bus: Pick<KeepsWaits, "waits">;
  readonly clock: Clock;
  readonly log: Log;
  /** A warning for a question that fails. */
  readonly failure: string;
  /** True while something is followed. */
  readonly isNeeded: () => boolean;
  /** Takes the answer. */
  readonly take: (objects: readonly AwaitedObject[]) => void;
}

/** Asks who waits for what, once at a time, and again while something is followed: waits that end are not told. */
export class WaitsQuestion {
  readonly #parts: WaitsQuestionParts;
  #isOpen = false;
  #isStopped = false;
  #cancel: (() => void) | undefined;
  constructor(parts: WaitsQuestionParts) {
    this.#parts = parts;
  }

  /** True while an answer is awaited. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  now(): void {
    if (this.#isOpen || this.#isStopped) return;
    this.#isOpen = true;
    const { bus, take, log, failure } = this.#parts;
    bus.waits().then(
      (objects) => {
        this.#isOpen = false;
        if (this.#isStopped) return;
        take(objects);
        this.later();
      },
      (thrown: unknown) => {
        this.#isOpen = false;
        log.warn({ error: messageOf(thrown) }, failure);
        this.#after(AGAIN_MILLISECONDS);
      },
    );
  }

  /** Asks after a while, where something is followed. */
  later(): void {
    if (this.#parts.isNeeded()) this.#after(ASK_MILLISECONDS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #after(milliseconds: number): void {
    if (this.#isStopped || this.#cancel !== undefined) return;
    this.#cancel = this.#parts.clock.after(milliseconds, () => {
      this.#cancel = undefined;
      this.now();
    });
  }
}
