import type { Clock } from "../../shared/clock/clock.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Routing } from "../engine/routing.ts";

/** The parts with which every bus is opened. */
export interface BusParts {
  /** Names this process to the bus's server. */
  readonly name: string;
  /** The routing of all functions of the installation, on any host. */
  readonly routing: Pick<Routing, "knows" | "queues" | "route" | "types">;
  /** True where it removes finished work that a killed server of the bus brought back: one process of an installation does. */
  readonly cleans: boolean;
  /** True where it runs nothing: a bus that belongs to one process is then read and asked, and that process does what is asked for. */
  readonly asks?: boolean | undefined;
  readonly clock: Clock;
  readonly log: Log;
}
