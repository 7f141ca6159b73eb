import type { EventDefinition } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log/log.ts";
import type { Route } from "../contract.ts";
import type { RetryPolicy } from "../retry.ts";
import type { StatementHook } from "./database.ts";
import type { HistoryBounds } from "./history.ts";

export interface EmbeddedBusOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly route: Route;
  /**
   * True for a function that runs here. Items of others rest until one of that name does: whoever consumes without naming functions takes
   * none of them. Default: all.
   */
  readonly isKnown?: ((functionName: string) => boolean) | undefined;
  /** The event types that are known; others are refused. Default: the catalogue. */
  readonly types?: (() => ReadonlyMap<string, EventDefinition>) | undefined;
  readonly clock: Clock;
  readonly log?: Log | undefined;
  /**
   * True: what is durable survives a power cut (one sync of the disk a record of the journal, SQLite's `synchronous = FULL`). False: it
   * survives the death of the process at any moment; a power cut may take the last moments, which the next compare repeats.
   */
  readonly powerCutSafe?: boolean | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly history?: HistoryBounds | undefined;
  /** The pause between two looks for what other processes ask for. Default 500 ms; only while there are consumers. */
  readonly pollMilliseconds?: number | undefined;
  /** The most bytes of the SQLite file; beyond them the bus says `BUS_FULL` as on a full disk. Default: as large as the disk lets it. */
  readonly maximumBytes?: number | undefined;
  /** A number from 0 up to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
  /** Called before and after each statement, and each write to the journal: tests die there. */
  readonly hook?: StatementHook | undefined;
}
