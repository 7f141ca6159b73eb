import { catalogue, type EventDefinition } from "../../events/index.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";

/** The catalogue, and what the functions emit or wake on. */
export function eventTypesOf(
  functions: readonly FunctionDeclaration[],
): ReadonlyMap<string, EventDefinition> {
  const own = functions.flatMap(({ emits, wakes }) => [
    ...emits,
    ...wakes.flatMap(({ event }) => event ?? []),
  ]);
  const definitions = own.map(({ id, schema }): [string, EventDefinition] => [
    id,
    { type: id, meaning: "An event of a function.", data: schema },
  ]);
  return new Map([...catalogue, ...definitions.filter(([id]) => !catalogue.has(id))]);
}
