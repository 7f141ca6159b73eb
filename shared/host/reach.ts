import type { Bus, Parked } from "../bus/contract.ts";
import type { RunRecord } from "../bus/run-record.ts";
import type { Clock } from "../clock/clock.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { type Away, apiProbe, ConnectionPool, HOME, type Probe } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import type { Parking } from "../runner/parking.ts";
import type { ConfiguredFunction } from "./configuration.ts";

/** The bus, in the pool of a host. */
export const BUS = "bus";
/** The name of a port's connection in the pool of a host. */
const portConnection = (id: string): string => `port ${id}`;

/** The connections of a host: the API server and the bus. */
export function connectionsOf({
  client,
  bus,
  clock,
  log,
  probe = apiProbe(client, clock),
}: {
  readonly client: KubeClient;
  readonly bus: Pick<Bus, "ready">;
  readonly clock: Clock;
  readonly log: Log;
  /** Default: with the client. */
  readonly probe?: Probe | undefined;
}): ConnectionPool {
  const connections = new ConnectionPool({ home: { client, probe }, clock, log });
  connections.add(BUS, busProbe(bus));
  return connections;
}

export const busProbe =
  (bus: Pick<Bus, "ready">): Probe =>
  async () =>
    bus.ready() ? undefined : "it cannot make anything durable now";

/** The connections that the functions of a host need, and their states. */
export class Reach {
  readonly #pool: ConnectionPool;
  readonly #needs: ReadonlyMap<string, readonly string[]>;

  /** Adds the connections of the functions' ports to the pool, where their adapters have a probe. */
  constructor(pool: ConnectionPool, functions: ReadonlyMap<FunctionDeclaration, ConfiguredFunction>) {
    this.#pool = pool;
    const needs = new Map<string, readonly string[]>();
    for (const [{ name, uses }, { probes }] of functions) {
      const ports = uses.flatMap(({ id }) => {
        const probe = probes.get(id);
        if (probe === undefined) return [];
        const connection = portConnection(id);
        if (!pool.names.includes(connection)) pool.add(connection, probe);
        return [connection];
      });
      needs.set(name, [HOME, ...ports]);
    }
    this.#needs = needs;
  }

  /** The connection that was away when a run of this function failed, by a probe that began since. */
  async check(name: string): Promise<Parking | undefined> {
    return this.#parking(await this.#pool.check([...this.#needsOf(name), BUS]));
  }

  /** Before a run of it begins: what is known to be away. */
  async blocked(name: string): Promise<Parking | undefined> {
    return this.#parking(await this.#pool.blocked(this.#needsOf(name)));
  }

  /** The time for which a run is parked whose connection answers, and which failed through no fault of its key. */
  pause(): number {
    return this.#pool.parking();
  }

  /** The functions whose items are left alone now. */
  get left(): "all" | readonly string[] {
    if (this.#pool.isAway(HOME)) return "all";
    return [...this.#needs].flatMap(([name, needs]) =>
      needs.some((each) => this.#pool.isAway(each)) ? [name] : [],
    );
  }

  /** Calls the listener whenever `left` may have changed. */
  subscribe(listener: () => void): () => void {
    return this.#pool.subscribe(listener);
  }

  /** Commands need the cluster alone. */
  #needsOf(name: string): readonly string[] {
    return this.#needs.get(name) ?? [HOME];
  }

  #parking(away: Away | undefined): Parking | undefined {
    if (away === undefined) return undefined;
    return { behind: away.connection, reason: away.reason, milliseconds: this.#pool.parking() };
  }
}

/** The end of a run that did not begin, or that failed outside its function. */
export const parkedBehind = (
  { behind, milliseconds }: Parking,
  error: { readonly code: string; readonly message: string },
  run: RunRecord,
): Parked => ({ state: "parked", behind, milliseconds, error, echoes: [], run });
