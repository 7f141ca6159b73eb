import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log/log.ts";
import type { Work } from "../contract.ts";
import type { RetryPolicy } from "../retry.ts";
import type { RunRecord } from "../run-record.ts";
import type { Alarms } from "./alarms.ts";
import type { Acknowledger } from "./delivery.ts";
import type { HistoryWriter } from "./history.ts";
import type { LastKnown } from "./last-known.ts";
import type { OtherHosts } from "./other-hosts.ts";
import type { Solitude } from "./solitude.ts";
import type { StateStore } from "./store.ts";
import type { ToldEvents } from "./told-events.ts";
import type { WaitIndex } from "./wait-index.ts";
import type { WorkStore } from "./work-store.ts";

/** The parts that all runs of a host share. */
export interface RunParts {
  /** This host, new with every process. */
  readonly host: string;
  readonly states: StateStore;
  readonly work: WorkStore;
  readonly waits: WaitIndex;
  readonly told: ToldEvents;
  readonly history: HistoryWriter;
  readonly acknowledge: Acknowledger;
  readonly known: LastKnown;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly leaseMilliseconds: number;
  readonly ran: (run: RunRecord) => void;
  readonly others: OtherHosts;
  /** The runs of this host beside which no other may run. */
  readonly solitude: Solitude;
  readonly alarms: Alarms;
}

/** For whom a key is run. */
export interface Taker {
  readonly work: Work;
  /** Aborted when it stops. */
  readonly stopping: AbortSignal;
}
