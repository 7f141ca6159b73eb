import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log/log.ts";
import type { Work } from "../contract.ts";
import type { WorkKey } from "../item.ts";
import type { RetryPolicy } from "../retry.ts";
import type { RunRecord } from "../run-record.ts";
import type { Acknowledger, Delivery } from "./delivery.ts";
import type { HistoryWriter } from "./history.ts";
import type { LastKnown } from "./last-known.ts";
import type { Solitude } from "./solitude.ts";
import type { StateStore } from "./store.ts";
import type { ToldEvents } from "./told-events.ts";
import type { WaitIndex } from "./wait-index.ts";
import type { WorkStore } from "./work-store.ts";

/** What all runs of a host stand on. */
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
  /** Gives an item to the host that runs its key. False: that host does not run it. */
  readonly delegate: (delivery: Delivery, owner: string) => Promise<boolean>;
  /** Which of this host's runs others may not run beside. */
  readonly solitude: Solitude;
  /** Look at the key at this time, if this host still lives: sooner than the server's hint. */
  readonly wakeAt: (key: WorkKey, recordId: string, due: number) => void;
}

/** Whoever took the item: its slots and its function. */
export interface Taker {
  readonly work: Work;
  readonly stopping: boolean;
  /** The run no longer has its key. */
  gone(run: { readonly key: WorkKey }): void;
}
