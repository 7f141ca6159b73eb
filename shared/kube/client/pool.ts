import { type Clock, systemClock } from "../../clock/clock.ts";
import { type Log, silent } from "../../log/log.ts";
import type { KubeClient } from "../client.ts";
import { type Away, type Probe, ProbedConnection } from "./connection.ts";
import { nearPolicy, type ProbePolicy } from "./connection-state.ts";

/** The cluster that functions run for, in every pool. */
export const HOME = "api";

export interface ConnectionPoolParts {
  /** The home cluster: its client, and what tells whether it can be reached. */
  readonly home: {
    readonly client: KubeClient;
    readonly probe: Probe;
    /** Default: at least every 5 s. */
    readonly policy?: ProbePolicy | undefined;
  };
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** Between how many milliseconds a run is parked that met what is away. Default: 10 s to 20 s. */
  readonly parked?: { readonly least: number; readonly most: number } | undefined;
  /** A number from 0 up to 1, for the jitter. */
  readonly random?: (() => number) | undefined;
}

/**
 * The time for which a run that met a connection that is away is parked: another host may reach it, and all is healed half a
 * minute after its return.
 */
const PARKED = { least: 10_000, most: 20_000 } as const;

/**
 * The connections of a process: the home cluster first, and beside it all others with a probe of their own. That probe alone
 * decides whether one is away, so that an object on which the server fails stops no other.
 */
export class ConnectionPool {
  readonly home: KubeClient;
  readonly #members = new Map<string, ProbedConnection>();
  readonly #listeners = new Set<() => void>();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #random: () => number;
  readonly #parked: { readonly least: number; readonly most: number };

  constructor({
    home,
    clock = systemClock,
    log = silent,
    parked = PARKED,
    random = Math.random,
  }: ConnectionPoolParts) {
    this.#parked = parked;
    this.home = home.client;
    this.#clock = clock;
    this.#log = log;
    this.#random = random;
    this.add(HOME, home.probe, home.policy);
  }

  /** A further connection, in the place of a former one of that name. */
  add(name: string, probe: Probe, policy: ProbePolicy = nearPolicy): void {
    this.#members.get(name)?.close();
    const changed = (): void => {
      for (const listener of this.#listeners) listener();
    };
    const parts = { name, probe, policy, clock: this.#clock, log: this.#log, random: this.#random, changed };
    this.#members.set(name, new ProbedConnection(parts));
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** The connections that are known to be away, without a request. */
  get away(): readonly Away[] {
    return [...this.#members.values()].flatMap((member) => member.away ?? []);
  }

  isAway(name: string): boolean {
    return this.#members.get(name)?.away !== undefined;
  }

  /**
   * The first of these that is away, by its own probe: to be asked once something failed.
   * @param maximumAge milliseconds that an answer "it is there" may be old
   */
  async check(names: readonly string[], maximumAge = 0): Promise<Away | undefined> {
    return firstAway(await Promise.all(this.#of(names).map((member) => member.check(maximumAge))));
  }

  /** The first of these that is known to be away: to be asked before something begins. Costs no request while all are there. */
  async blocked(names: readonly string[]): Promise<Away | undefined> {
    if (this.away.length === 0) return undefined;
    return firstAway(await Promise.all(this.#of(names).map((member) => member.blocked())));
  }

  /** For how long a run is parked that met what is away, in milliseconds. */
  parking(): number {
    const { least, most } = this.#parked;
    return Math.round(least + this.#random() * (most - least));
  }

  /** Calls the listener whenever a connection goes away or comes back. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const member of this.#members.values()) member.close();
    this.#listeners.clear();
  }

  #of(names: readonly string[]): readonly ProbedConnection[] {
    return names.flatMap((name) => this.#members.get(name) ?? []);
  }
}

const firstAway = (found: readonly (Away | undefined)[]): Away | undefined =>
  found.find((each) => each !== undefined);
