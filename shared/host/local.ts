import type { Bus, Consumer, Lease, Work } from "../bus/contract.ts";
import type { WorkItem } from "../bus/item.ts";
import type { Clock } from "../clock/clock.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { BoundPort } from "../function/port.ts";
import type { System } from "../function/system.ts";
import type { Hints } from "../hints/hints.ts";
import type { ConnectionPool } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import { refuseUnboundPorts } from "../runner/ports.ts";
import { configuredFunctions } from "./configuration.ts";
import { connectionsOf, Reach } from "./reach.ts";
import { hostWork } from "./work.ts";

export interface LocalHostParts {
  readonly systems: readonly System[];
  /** Raw configuration by system name; absent: defaults and environment. */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  /** Adapters of ports, in place of those that the systems bring. */
  readonly ports?: readonly BoundPort[] | undefined;
  readonly client: KubeClient;
  /**
   * The client of each function. Default: `client` for all. With a client of its own a function is as in a process of its own: it
   * knows nothing that it did not read.
   */
  readonly clientOf?: ((declaration: FunctionDeclaration) => KubeClient) | undefined;
  readonly cluster: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** The objects that the watcher in this process has just seen. Absent: there is none, and every run reads. */
  readonly hints?: Hints | undefined;
  /** The connections of the host, each with its probe. Default: the API server alone, asked with `client`. */
  readonly connections?: ConnectionPool | undefined;
  /** The number of items that run at once. Default 16. */
  readonly parallel?: number | undefined;
  readonly namespaces?: readonly string[] | undefined;
  /** The namespace of the installation, for the pauses. Default: `reveille-system`. */
  readonly home?: string | undefined;
  /** Default: on. */
  readonly nets?: boolean | undefined;
  /** Names of the functions that run here; default: all of the systems. */
  readonly only?: readonly string[] | undefined;
  /** The signature of the code that runs here, by function. Default: none, so that it answers whatever code an item is for. */
  readonly signatures?: Readonly<Record<string, string>> | undefined;
  /** The time after which a run is cut off. Default: 5 minutes. */
  readonly limitMilliseconds?: number | undefined;
}

/**
 * Runs all functions of some systems in this process, and carries out commands, on any bus. Throws a `DeclarationError` where a
 * port that one of them uses has no adapter.
 */
export function startLocalHost(parts: LocalHostParts): Consumer {
  const { bus, clock, log, cluster, namespaces, home, nets, limitMilliseconds, clientOf, signatures } = parts;
  const configured = configuredFunctions(parts.systems, parts.configuration, parts.ports);
  for (const [declaration, { ports }] of configured)
    if (parts.only?.includes(declaration.name) ?? true) refuseUnboundPorts(declaration, ports);
  const connections = parts.connections ?? connectionsOf(parts);
  const reach = new Reach(connections, configured);
  const common = { cluster, bus, clock, log, namespaces, home, nets, limitMilliseconds, signatures, reach };
  const all = hostWork({ ...common, functions: configured, client: parts.client, hints: parts.hints });
  const apart =
    clientOf === undefined
      ? undefined
      : new Map(
          [...configured].map(([declaration, configuration]) => [
            declaration.name,
            hostWork({
              ...common,
              functions: new Map([[declaration, configuration]]),
              client: clientOf(declaration),
            }),
          ]),
        );
  const of = (name: string): Work => apart?.get(name) ?? all;
  const work: Work = Object.assign((lease: Lease) => of(lease.item.function)(lease), {
    ahead: (item: WorkItem) => of(item.function).ahead?.(item),
  });
  const { parallel = 16, only: functions } = parts;
  const consumer = bus.consume({ parallel, functions }, apart === undefined ? all : work);
  const leave = (): void => consumer.leave(reach.left);
  const unsubscribe = reach.subscribe(leave);
  leave();
  return {
    leave: (left) => consumer.leave(left),
    async stop(milliseconds) {
      unsubscribe();
      await consumer.stop(milliseconds);
      if (parts.connections === undefined) connections.close();
    },
  };
}
