import type { Requirement } from "../../kinds/index.ts";
import { type EnabledModule, isProvidedBy } from "./module.ts";

/**
 * The modules that need themselves by hard requirements, each with the way back to it: `alpha, beta, alpha`. A requirement that one of
 * several modules provides closes a cycle only where none of these can be installed. Kinds close none: a module's own definitions are
 * applied while it waits.
 */
export function cyclesAmong(modules: readonly EnabledModule[]): ReadonlyMap<string, readonly string[]> {
  const needs = new Map(
    modules.map((module) => [
      module.name,
      module.isLeft === true ? [] : module.requires.flatMap((one) => providersOf(one, modules)),
    ]),
  );
  const stuck = new Set(modules.map(({ name }) => name));
  let before: number;
  do {
    before = stuck.size;
    for (const name of stuck)
      if (needs.get(name)?.every((providers) => providers.some((one) => !stuck.has(one)))) stuck.delete(name);
  } while (stuck.size < before);
  const onward = (name: string): readonly string[] =>
    needs.get(name)?.flatMap((providers) => (providers.every((one) => stuck.has(one)) ? providers : [])) ??
    [];
  return new Map(
    [...stuck].flatMap((name) => {
      const way = wayBack(name, onward);
      return way === undefined ? [] : [[name, way] as const];
    }),
  );
}

/** The modules that provide a hard requirement, as one item; no item where there are none, since what is merely missing is no cycle. */
function providersOf(
  required: Requirement,
  modules: readonly EnabledModule[],
): readonly (readonly string[])[] {
  if (required.optional === true || required.crd !== undefined) return [];
  const providers = modules.filter((one) => isProvidedBy(required, one)).map(({ name }) => name);
  return providers.length === 0 ? [] : [providers];
}

/** The shortest way from a module to itself. */
function wayBack(from: string, onward: (name: string) => readonly string[]): readonly string[] | undefined {
  const ways = new Map<string, readonly string[]>([[from, [from]]]);
  for (const [at, way] of ways)
    for (const next of onward(at)) {
      if (next === from) return [...way, from];
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  return undefined;
}
