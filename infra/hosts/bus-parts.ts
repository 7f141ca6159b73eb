import type { Clock } from "../../shared/clock/clock.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Routing } from "../engine/routing.ts";

/** What every bus is opened with. */
export interface BusParts {
  /** Names this process to the bus's server. */
  readonly name: string;
  /** Of all functions of the installation, whoever runs them. */
  readonly routing: Pick<Routing, "queues" | "route" | "types">;
  /** Whether it removes finished work that a killed server of the bus brought back: one process of an installation does. */
  readonly cleans: boolean;
  readonly clock: Clock;
  readonly log: Log;
}
