import type { Clock } from "../clock/clock.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import type { Follow } from "./following.ts";

/** Keys to look at: each waits once, never runs twice at a time, and runs again when it was added meanwhile. */
export interface SimulationQueue {
  add(key: string): void;
  /** Adds the key at a time (milliseconds since the epoch), unless it is due earlier anyway. */
  addAt(key: string, due: number): void;
  /** Resolves when nothing waits, runs or is to be tried again. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Sends JSON by POST over https and resolves with the JSON of the answer; throws where none comes that can be read. */
export type Post = (
  url: string,
  body: object,
  options: {
    /** The certificates in PEM that the server's one must stem from. */
    readonly authorities?: string;
    readonly timeoutMilliseconds: number;
  },
) => Promise<unknown>;

/** The tools of a simulation. */
export interface SimulationTools {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly follow: Follow;
  readonly post: Post;
  /** False in a cluster that somebody else uses too: nothing may be installed there. */
  readonly own: boolean;
  /** Makes a queue. An error that `work` throws is logged, and the key tried again after a back-off. */
  readonly queue: (work: (key: string) => Promise<void>) => SimulationQueue;
}

/** A controller or component that `dev` simulates. */
export interface Simulation {
  /** Resolves when it has nothing to do at this moment. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The type of `simulate`, which `simulate.ts` of a system exports: it simulates, as an ordinary client, the components that the
 * system waits for and that are no part of it. Resolves when it has seen all objects; the system's kinds are served by then.
 */
export type SystemSimulation = (tools: SimulationTools) => Promise<Simulation>;
