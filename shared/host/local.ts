import type { Bus, Consumer } from "../bus/contract.ts";
import type { Clock } from "../clock/clock.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { TerminalError } from "../function/runner/errors.ts";
import { createRunner } from "../function/runner/runner.ts";
import type { System } from "../function/system.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import { configuredFunctions } from "./configuration.ts";
import { Sightings } from "./sightings.ts";

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

/** Runs all functions of some systems in this process, on any bus. */
export function startLocalHost(parts: LocalHostParts): Consumer {
  const { bus, client, clock, log, cluster } = parts;
  const configured = configuredFunctions(parts.systems, parts.configuration);
  const sightings = parts.sightings ?? new Sightings(clock);
  const work = createRunner({
    functions: [...configured.keys()],
    client,
    cluster,
    clock,
    log,
    configOf: (declaration: FunctionDeclaration) => configured.get(declaration),
    sighting: sightings.get,
    seen: sightings.saw,
    wroteThis: async (echo) => (await bus.history.ofWrite(echo)) !== undefined,
    emit: async (type, id, payload) => {
      const time = new Date(clock.now()).toISOString();
      const { refused } = await bus.publish([
        {
          specversion: "1.0",
          id,
          type,
          source: `/clusters/${cluster}`,
          time,
          datacontenttype: "application/json",
          data: payload,
        },
      ]);
      const [fault] = refused;
      if (fault !== undefined)
        throw new TerminalError(`The event ${type} was refused: ${fault.issues.join("; ")}.`, {
          code: "EVENT_REFUSED",
        });
    },
    namespaces: parts.namespaces,
    nets: parts.nets,
  });
  return bus.consume({ parallel: parts.parallel ?? 16 }, work);
}
