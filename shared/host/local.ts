import type { Bus, Consumer } from "../bus/contract.ts";
import type { Clock } from "../clock/clock.ts";
import type { System } from "../function/system.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import { configuredFunctions } from "./configuration.ts";
import { Sightings } from "./sightings.ts";
import { hostWork } from "./work.ts";

export interface LocalHostParts {
  readonly systems: readonly System[];
  /** Raw configuration by system name; absent: defaults and environment. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly client: KubeClient;
  readonly cluster: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly sightings?: Sightings;
  /** How many items run at once. Default 16. */
  readonly parallel?: number;
  readonly namespaces?: readonly string[] | undefined;
  readonly nets?: boolean;
}

/** Runs all functions of some systems in this process, and carries out commands, on any bus. */
export function startLocalHost(parts: LocalHostParts): Consumer {
  const { bus, client, clock, log, cluster, namespaces, nets } = parts;
  const work = hostWork({
    functions: configuredFunctions(parts.systems, parts.configuration),
    client,
    cluster,
    bus,
    clock,
    log,
    sightings: parts.sightings ?? new Sightings(clock),
    namespaces,
    nets,
  });
  return bus.consume({ parallel: parts.parallel ?? 16 }, work);
}
