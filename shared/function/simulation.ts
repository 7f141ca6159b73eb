import type { Clock } from "../clock/clock.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import type { Follow } from "./following.ts";

/** Keys to look at: each waits once, never runs twice at a time, and runs again when it was added meanwhile. */
export interface SimulationQueue {
  add(key: string): void;
  /** Resolves when nothing waits, runs or is to be tried again. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** What a simulation is given. */
export interface SimulationTools {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly follow: Follow;
  /** Whatever `work` throws is logged, and tried again after a back-off. */
  readonly queue: (work: (key: string) => Promise<void>) => SimulationQueue;
}

/** Somebody whom `dev` plays. */
export interface Simulation {
  /** Resolves when it has nothing to do at this moment. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * What `simulate.ts` of a system exports as `simulate`: it plays those whom the system waits for and who are no part of it, as an
 * ordinary client. Resolves when it has seen all there is; the system's kinds are served by then.
 */
export type SystemSimulation = (tools: SimulationTools) => Promise<Simulation>;
