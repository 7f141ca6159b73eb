import type { Echo } from "../bus/contract.ts";
import type { Clock } from "../clock/clock.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { Admitted } from "../function/slots.ts";
import type { Hints } from "../hints/hints.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import type { Parking } from "./parking.ts";
import type { Ports } from "./ports.ts";

/** What a runner stands on. */
export interface RunnerParts {
  readonly functions: readonly FunctionDeclaration[];
  readonly client: KubeClient;
  /** The cluster's name, as keys carry it. */
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Log;
  /** By function: the signature of the code that runs here. A function without one answers whatever code an item was published for. */
  readonly signatures?: Readonly<Record<string, string>> | undefined;
  /** The parsed configuration of a function. */
  readonly configOf: (declaration: FunctionDeclaration) => unknown;
  /** What this process has just seen. Absent: nothing, so that every run reads. */
  readonly hints?: Hints | undefined;
  /** Whether a version was written by a function: asked only where a loop is suspected. */
  readonly wroteThis: (echo: Echo) => Promise<boolean>;
  readonly emit: (type: string, id: string, payload: unknown) => Promise<void>;
  /** What stands behind the ports that a function uses, by their ids. Default: nothing. */
  readonly portsOf?: ((declaration: FunctionDeclaration) => Ports | undefined) | undefined;
  /** Whether effects beyond the API server are asked for. False: their results are `not run`. Default: they are. */
  readonly calls?: boolean | undefined;
  /** What the configuration admits to a function's slots. Default: nothing. */
  readonly admitted?:
    | ((declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted> | undefined)
    | undefined;
  readonly namespaces?: readonly string[] | undefined;
  /** What one run may hold of what it reads, in bytes. Default: a quarter of the heap. */
  readonly mostHeldBytes?: number | undefined;
  /** How long a run may take before it is cut off. Default: 5 minutes. */
  readonly limitMilliseconds?: number | undefined;
  /**
   * What a function needs and is away, by its own probe: asked where a run of it failed. Default: all is there, so that every failure
   * counts as an attempt.
   */
  readonly away?: ((name: string) => Promise<Parking | undefined>) | undefined;
  /** Off in tests: every scenario must pass without nets. */
  readonly nets?: boolean | undefined;
}
