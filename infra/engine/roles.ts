import type { LocalHostParts } from "../../shared/host/local.ts";
import type { LeaseOptions, PublishedBefore, Timing } from "../watcher/index.ts";

/** The roles of one process in an engine's work: it watches and publishes, it runs functions, or both. */
export interface Roles {
  readonly watch?: WatchRole | undefined;
  readonly work?: WorkRole | undefined;
}

/** Follows the cluster, and publishes to the bus. */
export interface WatchRole {
  /** The file of its ledger, or `:memory:`. */
  readonly ledger: string;
  /** Names it in its Lease; the same after a restart, so that it goes on at once. Default: a new one. */
  readonly identity?: string | undefined;
  /** False: this watcher is the only one. */
  readonly lease?: LeaseOptions | false | undefined;
  /** The most streams into other clusters that are open at once. Default 1,000. */
  readonly streams?: number | undefined;
  /** The memory of the only watcher: what it published for, which others keep in the Lease. Absent: no break is looked for. */
  readonly memory?: WatchMemory | undefined;
  /** Called each time that it has got its Lease. */
  readonly onLead?: (() => void) | undefined;
  /** Its times, where they are not the usual ones. */
  readonly timing?: Partial<Timing> | undefined;
}

/** The memory in which the only watcher of a cluster keeps for which bus and functions it published. */
export interface WatchMemory {
  readonly before: PublishedBefore;
  readonly keep: (text: string) => void;
}

/** Runs functions, and carries out commands. */
export type WorkRole = Pick<
  LocalHostParts,
  "clientOf" | "connections" | "limitMilliseconds" | "nets" | "only" | "parallel" | "ports"
>;
