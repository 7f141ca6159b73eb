import type { Work } from "../bus/contract.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { BoundPort } from "../function/port.ts";
import type { System } from "../function/system.ts";
import type { ConnectionPool } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { refuseUnboundPorts } from "../runner/ports.ts";
import { type ConfiguredFunction, configuredFunctions } from "./configuration.ts";
import { connectionsOf, Reach } from "./reach.ts";
import { type HostWorkParts, hostWork } from "./work.ts";

/** The parts of a host of functions, whoever hands it its items. */
export interface HostParts extends Omit<HostWorkParts, "functions" | "all" | "reach" | "paused"> {
  readonly systems: readonly System[];
  /** Raw configuration by system name; absent: defaults and environment. */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  /** Adapters of ports, in place of those that the systems bring. */
  readonly ports?: readonly BoundPort[] | undefined;
  /** Names of the functions that run here; default: all of the systems. */
  readonly only?: readonly string[] | undefined;
  /** Names of the functions that are known here. Default: all of the systems, since commands ask what they are keyed by. */
  readonly knows?: readonly string[] | undefined;
  /** The connections of the host, each with its probe. Default: API server and bus, the former asked with `client`. */
  readonly connections?: ConnectionPool | undefined;
}

/** A host of functions that nobody hands items yet. */
export interface ComposedHost {
  /** The functions that it knows, each with its parsed configuration and its ports. */
  readonly functions: ReadonlyMap<FunctionDeclaration, ConfiguredFunction>;
  /** All functions of the systems. */
  readonly all: readonly FunctionDeclaration[];
  readonly reach: Reach;
  /** Runs functions and carries out commands. */
  readonly work: Work;
  /** The work of one function that knows nothing of the others, nor what this process has seen. */
  workApart(declaration: FunctionDeclaration, client: KubeClient): Work;
  /** Closes the connections that were not handed in. */
  close(): void;
}

/**
 * Composes what every host of functions is made of: configured functions with their ports, the connections that they need, and the
 * work. Throws a `ConfigurationError`, and a `DeclarationError` where a port that a function here uses has no adapter.
 */
export function composeHost(parts: HostParts): ComposedHost {
  const { systems, configuration, ports, only, knows, connections: handedIn, ...common } = parts;
  const configured = configuredFunctions(systems, configuration, ports);
  const all = [...configured.keys()];
  const functions =
    knows === undefined ? configured : new Map([...configured].filter(([{ name }]) => knows.includes(name)));
  for (const [declaration, configured] of functions)
    if (only?.includes(declaration.name) ?? true) refuseUnboundPorts(declaration, configured.ports);
  const connections = handedIn ?? connectionsOf(parts);
  const reach = new Reach(connections, functions);
  return {
    functions,
    all,
    reach,
    work: hostWork({ ...common, all, functions, reach }),
    workApart: (declaration, client) =>
      hostWork({
        ...common,
        all,
        functions: new Map([...functions].filter(([one]) => one === declaration)),
        reach,
        client,
        hints: undefined,
        beside: undefined,
      }),
    close() {
      if (handedIn === undefined) connections.close();
    },
  };
}
