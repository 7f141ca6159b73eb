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
  /** The event types that are known; others are refused. Default: the catalogue. */
  readonly types?: (() => ReadonlyMap<string, EventDefinition>) | undefined;
  readonly clock: Clock;
  readonly log?: Log | undefined;
  /**
   * True: what is durable survives a power cut (SQLite's `synchronous = FULL`, one sync of the disk a transaction). False: it
   * survives the death of the process at any moment; a power cut may take the last moments, which the next compare repeats.
   */
  readonly powerCutSafe?: boolean | undefined;
  /** The time for which a process may be silent before others run its items. Default 30 s. */
  readonly leaseMilliseconds?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly history?: HistoryBounds | undefined;
  /** The pause between two looks for writes of other processes into the file. Default 500 ms; only while there are consumers. */
  readonly pollMilliseconds?: number | undefined;
  /** The most bytes of the file; beyond them the bus says `BUS_FULL` as on a full disk. Default: as large as the disk lets it. */
  readonly maximumBytes?: number | undefined;
  /** A number from 0 up to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
  /** Called before and after each statement: tests die there. */
  readonly hook?: StatementHook | undefined;
}
