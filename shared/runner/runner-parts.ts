import type { Echo } from "../bus/contract.ts";
import type { Clock } from "../clock/clock.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { Admitted } from "../function/slots.ts";
import type { Hints } from "../hints/hints.ts";
import type { OwnWrites } from "../hints/own-writes.ts";
import type { Log } from "../log/log.ts";
import type { Clients } from "./clients.ts";
import type { LentPlaces } from "./lent-places.ts";
import type { Parking } from "./parking.ts";
import type { Ports } from "./ports.ts";

/** The parts of a runner. */
export interface RunnerParts extends Clients {
  /** The places of runs that wait for one of other clusters. Absent: nobody runs in them meanwhile. */
  readonly lent?: LentPlaces | undefined;
  readonly functions: readonly FunctionDeclaration[];
  /** All functions of the installation: what any of them wakes on is watched, and may be waited for. Default: those that run here. */
  readonly all?: readonly FunctionDeclaration[] | undefined;
  /** The cluster's name, as keys carry it. */
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The signature of the code that runs here, by function. A function without one answers whatever code an item was published
   * for.
   */
  readonly signatures?: Readonly<Record<string, string>> | undefined;
  /** The parsed configuration of a function. */
  readonly configOf: (declaration: FunctionDeclaration) => unknown;
  /** The objects that this process has just seen. Absent: none, so that every run reads. */
  readonly hints?: Hints | undefined;
  /** Learns what runs write, for the watcher in this process. Absent: none is, or others hear of it too. */
  readonly ownWrites?: Pick<OwnWrites, "run"> | undefined;
  /** True where a version was written by a function: asked only where a loop is suspected. */
  readonly wroteThis: (echo: Echo) => Promise<boolean>;
  readonly emit: (type: string, id: string, payload: unknown) => Promise<void>;
  /** The adapters of the ports that a function uses, by the ports' ids. Default: none. */
  readonly portsOf?: ((declaration: FunctionDeclaration) => Ports | undefined) | undefined;
  /** True where effects beyond the API server are asked for. False: their results are `not run`. Default: true. */
  readonly calls?: boolean | undefined;
  /** The resources that the configuration admits to a function's slots. Default: none. */
  readonly admitted?:
    | ((declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted> | undefined)
    | undefined;
  readonly namespaces?: readonly string[] | undefined;
  /** The most bytes that one run may hold of its reads. Default: a quarter of the heap. */
  readonly mostHeldBytes?: number | undefined;
  /** The time after which a run is cut off. Default: 5 minutes. */
  readonly limitMilliseconds?: number | undefined;
  /**
   * The connection that a function needs and that is away, by its own probe: asked where a run of it failed. Default: none, so
   * that every failure counts as an attempt.
   */
  readonly away?: ((name: string) => Promise<Parking | undefined>) | undefined;
  /** Off in tests: every scenario must pass without nets. */
  readonly nets?: boolean | undefined;
}
