/** All times of the watcher, in milliseconds. */
export interface Timing {
  /** A watch without a byte for so long is dead: bookmarks come every 60 s. */
  readonly silence: number;
  /** The first pause after a failure; it doubles with each further one. */
  readonly backOffFirst: number;
  /** A server that returns is watched again within it. */
  readonly backOffMost: number;
  /** The longest pause before a missing kind is asked for again. */
  readonly absentMost: number;
  /** The pause before a forbidden request is sent again. */
  readonly forbidden: number;
  /** A kind that is unknown for so long is gone, where its CRD may not be read. */
  readonly vanished: number;
  /** The period of the slow sweep, spread by a fifth. */
  readonly sweep: number;
  /** A resumed watch that tells nothing more for so long has caught up. */
  readonly quiet: number;
}

export const defaultTiming: Timing = {
  silence: 70_000,
  backOffFirst: 500,
  backOffMost: 8_000,
  absentMost: 15_000,
  forbidden: 30_000,
  vanished: 30_000,
  sweep: 6 * 3_600_000,
  quiet: 200,
};

/** The pause before attempt `attempt` (1 is the first repeat): exponential, and anything between half of it and all. */
export const backOff = (attempt: number, first: number, most: number, random: () => number): number =>
  Math.min(most, first * 2 ** Math.min(attempt - 1, 20)) * (0.5 + random() / 2);
