import type { Clock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { Semaphore } from "../../shared/kube/http/semaphore.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Beside } from "./beside.ts";
import type { Counters } from "./counters.ts";
import type { Room } from "./dirty-keys.ts";
import type { Ledger } from "./ledger.ts";
import type { Onlooker } from "./onlooker.ts";
import type { Timing } from "./timing.ts";

/** The parts that all followers of a watcher share. */
export interface FollowerContext {
  readonly cluster: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly timing: Timing;
  readonly ledger: Ledger;
  readonly room: Room;
  /** Watches that are being opened, and compares that run. */
  readonly opening: Semaphore;
  readonly listing: Semaphore;
  readonly counters: Counters;
  /** The server answers from the future of `era`'s versions: begins the next one, once. */
  readonly serverWentBack: (era: number) => void;
  /** There may be something to publish or record. */
  readonly work: () => void;
  readonly onlooker: Onlooker | undefined;
  readonly beside: Beside | undefined;
  /** True where this watcher is the one that publishes. */
  readonly leads: () => boolean;
}
