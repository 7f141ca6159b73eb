import type { LedgerChange } from "./ledger-lines.ts";

/** The content of a line: the changes of one ledger, in their order. */
interface Content {
  /** The id of the ledger: a line of a lost one tells nothing. */
  readonly ledger: string;
  /** Rises from line to line. The ledger's file says up to which it has them. */
  readonly number: number;
  /** The number of the line before: a file that lacks it, as one from a backup may, is not to skip what lies between. */
  readonly after: number;
  readonly era: number;
  readonly changes: readonly LedgerChange[];
}

/** A line of a ledger that is durable with the events which it belongs to, before the ledger's file has it. */
export interface KeptLine {
  /** The name under which the ledger joined its keeper. */
  readonly of: string;
  readonly line: Content;
}

/** The keeper of the lines: a bus. */
export interface KeepsLines {
  /** Joins a ledger, and hands it the lines that its file may lack. Absent where lines cannot be durable with events. @returns ends it */
  remember?(
    name: string,
    ledger: {
      readonly takeUp: (lines: readonly unknown[]) => void;
      /** @returns a line of what the file refuses; undefined where it takes all */
      readonly settle: () => unknown;
    },
  ): () => void;
}

/** Numbers the lines of one ledger, and knows the changes that no line has told yet. */
export class KeptLines {
  /** The number of the last line that stands. */
  number: number;
  readonly #of: string;
  readonly #ledger: string;
  #given: number;
  #inFile: number;
  readonly #untold = new Map<string, { readonly change: LedgerChange; readonly since: number }>();

  /** @param number of the last line that the ledger's file has */
  constructor(of: string, ledger: string, number: number) {
    this.#of = of;
    this.#ledger = ledger;
    this.number = number;
    this.#given = number;
    this.#inFile = number;
  }

  /** When the oldest change that no line has told was learned, in milliseconds since the epoch; `Infinity` where there is none. */
  get untoldSince(): number {
    for (const { since } of this.#untold.values()) return since;
    return Number.POSITIVE_INFINITY;
  }

  /** A line of these changes, and of those that no line has told. */
  line(changes: readonly LedgerChange[], era: number): KeptLine {
    const untold = Array.from(this.#untold.values(), ({ change }) => change);
    const number = ++this.#given;
    const line = {
      ledger: this.#ledger,
      number,
      after: this.number,
      era,
      changes: [...untold, ...changes],
    };
    return { of: this.#of, line };
  }

  /** A change stands in no line. */
  untold(about: string, change: LedgerChange, now: number): void {
    this.#untold.set(about, { change, since: this.#untold.get(about)?.since ?? now });
  }

  /** A line stands. */
  told({ line }: KeptLine): void {
    this.number = line.number;
    const told = new Set(line.changes);
    for (const [about, { change }] of this.#untold) if (told.has(change)) this.#untold.delete(about);
  }

  /** The ledger's file has all. */
  clear(): void {
    this.#untold.clear();
    this.#inFile = this.number;
  }

  /** Takes up lines that stood when the process before ended. @returns the changes that the ledger's file lacks */
  takeUp(lines: readonly unknown[], era: number): LedgerChange[] {
    const missing: LedgerChange[] = [];
    for (const line of lines as readonly Content[]) {
      if (line.ledger !== this.#ledger || line.number <= this.number || line.after > this.number) continue;
      this.number = line.number;
      // Positions of another era mean nothing.
      missing.push(...line.changes.filter((change) => change.do !== "position" || line.era === era));
    }
    this.#given = this.number;
    return missing;
  }

  /** The line of what the ledger's file refused. */
  rest(changes: readonly LedgerChange[], era: number): Content {
    return { ledger: this.#ledger, number: this.number, after: this.#inFile, era, changes };
  }
}
