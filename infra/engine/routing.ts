import type { EventDefinition } from "../../events/index.ts";
import type { Route } from "../../shared/bus/contract.ts";
import { COMMANDS } from "../../shared/function/commands.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import type { System } from "../../shared/function/system.ts";
import { createRouter } from "../../shared/runner/router.ts";
import { functionsOf } from "../systems/declared.ts";
import { eventTypesOf } from "./event-types.ts";

/** The functions of some systems, as a bus asks about them. Systems may be replaced while the bus is open. */
export interface Routing {
  /** The systems whose functions events wake now. */
  readonly systems: readonly System[];
  /** All of their functions. */
  readonly declarations: readonly FunctionDeclaration[];
  /** The names of their functions. */
  readonly names: readonly string[];
  /** The names of all that work is kept for: the functions, and the one that carries out commands. */
  readonly queues: readonly string[];
  /** True for one of these names. */
  readonly knows: (name: string) => boolean;
  /** The route of an event: the functions that it wakes. */
  readonly route: Route;
  /** The event types that are taken. */
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  /** Routes to the functions of these systems from now on. */
  use(systems: readonly System[]): void;
}

/** Builds the routing of some systems: the table, the event types and the names, from one list of declarations. */
export function routingOf(systems: readonly System[]): Routing {
  let now = tableOf(systems);
  return {
    get systems() {
      return now.systems;
    },
    get declarations() {
      return now.declarations;
    },
    get names() {
      return now.declarations.map(({ name }) => name);
    },
    get queues() {
      return [...now.queues];
    },
    knows: (name) => now.queues.has(name),
    route: (event) => now.router.route(event),
    types: () => now.types,
    use(next) {
      now = tableOf(next);
    },
  };
}

function tableOf(systems: readonly System[]) {
  const declarations = functionsOf(systems);
  const queues: ReadonlySet<string> = new Set([...declarations.map(({ name }) => name), COMMANDS]);
  const router = createRouter(declarations);
  return { systems, declarations, queues, router, types: eventTypesOf(declarations) };
}
