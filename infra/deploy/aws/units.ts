import { COMMANDS, commandTypes } from "../../../shared/function/commands.ts";
import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { System } from "../../../shared/function/system.ts";
import { checkName, TIMERS } from "./names.ts";

/** One Lambda: a function, the one that carries out commands, or the one of the timers. */
export interface Unit {
  readonly name: string;
  readonly sort: "function" | "commands" | "timers";
  readonly description: string;
  /** Undefined: no queue of its own. */
  readonly declaration?: FunctionDeclaration;
  readonly system?: string;
  /** The functions whose work queues it sends to, its own included. */
  readonly sendsTo: readonly string[];
}

/** The queues that an event of this type may lead to. */
const queuesOf = (type: string, functions: readonly FunctionDeclaration[]): readonly string[] => [
  ...functions.filter(({ wakes }) => wakes.some(({ event }) => event?.id === type)).map(({ name }) => name),
  ...(commandTypes.includes(type) ? [COMMANDS] : []),
];

/** Everything that runs on Lambda, functions first. */
export function unitsOf(systems: readonly System[]): readonly Unit[] {
  const functions = systems.flatMap((system) => system.functions);
  for (const { name } of functions) checkName(name);
  const work = [...functions.map(({ name }) => name), COMMANDS];
  return [
    ...systems.flatMap((system) =>
      system.functions.map((declaration): Unit => {
        const { name, emits } = declaration;
        const others = emits.flatMap(({ id }) => queuesOf(id, functions));
        return {
          name,
          sort: "function",
          description: `${system.name}: runs the function ${name}.`,
          declaration,
          system: system.name,
          sendsTo: [...new Set([name, ...others])],
        };
      }),
    ),
    { name: COMMANDS, sort: "commands", description: "Carries out commands.", sendsTo: work },
    { name: TIMERS, sort: "timers", description: "Enqueues what is due.", sendsTo: work },
  ];
}

/** The units that have a work queue. */
export const workersOf = (units: readonly Unit[]): readonly Unit[] =>
  units.filter(({ sort }) => sort !== "timers");
