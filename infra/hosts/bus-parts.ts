import type { EventDefinition } from "../../events/index.ts";
import type { Route } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import type { Log } from "../../shared/log/log.ts";

/** What every bus is opened with. */
export interface BusParts {
  /** Names this process to the bus's server. */
  readonly name: string;
  /** Names of all functions of the installation, whoever runs them. */
  readonly functions: readonly string[];
  readonly route: Route;
  /** Whether it removes finished work that a killed server of the bus brought back: one process of an installation does. */
  readonly cleans: boolean;
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  readonly clock: Clock;
  readonly log: Log;
}
