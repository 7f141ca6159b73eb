/** A message that is to arrive on the timer queue at a far time. */
export interface DistantTimer {
  /** One at a time under each name: a newer one replaces it. Letters, digits, dashes; at most 64. */
  readonly name: string;
  /** Milliseconds since the epoch. It may arrive a minute late. */
  readonly at: number;
  /** The body of the message. */
  readonly body: string;
}

/** A port: timers farther ahead than a queue can delay a message. */
export interface DistantTimers {
  /** Resolves when it is durable. */
  set(timer: DistantTimer): Promise<void>;
}
