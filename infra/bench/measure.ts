/** A bar of a chart. */
export interface Bar {
  readonly chart: "ratios" | "cpu";
  readonly label: string;
  readonly own: number;
  /** The same of the bare loop; absent where `own` is a ratio to it. */
  readonly bare?: number;
  readonly budget?: number;
}

/** One budget, and what came of it. */
export interface Figure {
  readonly budget: string;
  /** The measured value with its unit, as it is printed. */
  readonly measured: string;
  /** The bound in the same run: the bare limit, beside it or interleaved. */
  readonly limit?: string | undefined;
  /** The ratio of the measured value to that limit. */
  readonly ratio?: number | undefined;
  readonly ok: boolean;
  /** The place of the figure in a chart; absent: it is in none. */
  readonly bar?: Bar | undefined;
}

/** The tools of a measure. */
export interface Bench {
  /** A folder of its own, removed at the end. */
  readonly folder: string;
  /** The number of Kymas in the fleet of them. */
  readonly kymas: number;
  /** The number of these that are copies of a ready one. */
  readonly copied: number;
  /** Runs at the end of the measure, last first. */
  after(end: () => Promise<void> | void): void;
}

export interface Measure {
  readonly name: string;
  /** The reason why it cannot run here; undefined where it can. */
  readonly missing?: () => string | undefined;
  run(bench: Bench): Promise<readonly Figure[]>;
}
