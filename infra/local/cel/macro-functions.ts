import { type Environment, Optional } from "@marcbachmann/cel-js";
import { patternOf } from "../../../shared/kube/validation/pattern.ts";

/** A map of the object, or one that a rule spells out. */
type Entries = ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>;
const entriesOf = (map: Entries): Iterable<readonly [unknown, unknown]> =>
  map instanceof Map ? map : Object.entries(map);

function asMap(pairs: readonly (readonly [unknown, unknown])[]): Entries {
  const out = new Map<unknown, unknown>();
  for (const [key, value] of pairs) addOnce(out, key, value);
  return out;
}

function merged(maps: readonly Entries[]): Entries {
  const out = new Map<unknown, unknown>();
  for (const map of maps) for (const [key, value] of entriesOf(map)) addOnce(out, key, value);
  return out;
}

function addOnce(map: Map<unknown, unknown>, key: unknown, value: unknown): void {
  if (map.has(key)) throw new Error(`insert failed: key ${String(key)} already exists`);
  map.set(key, value);
}

const matches = (text: string, pattern: string): boolean => patternOf(pattern).test(text);

const functions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  "hasField__(dyn, string): bool": (value: unknown, name: string) => {
    if (value instanceof Map) return value.has(name);
    if (value instanceof Optional) return value.hasValue();
    throw new Error(`no such key: ${name}`);
  },
  "list.pairs__(): list": (list: readonly unknown[]) => list.map((item, index) => [BigInt(index), item]),
  "map.pairs__(): list": (map: Entries) => [...entriesOf(map)].map(([key, value]) => [key, value]),
  "list.asMap__(): map": asMap,
  "list.merged__(): map": merged,
  "optional.asList__(): list": (optional: Optional) => (optional.hasValue() ? [optional.value()] : []),
  "list.asOptional__(): optional": (list: readonly unknown[]) => Optional.of(list[0]),
  "list.asFlatOptional__(): optional": (list: readonly Optional[]) => list[0] ?? Optional.none(),
  "string.matchesRe2__(string): bool": matches,
  "matchesRe2__(string, string): bool": matches,
};

/** Adds the functions that `inLibraryWords` writes. */
export function registerMacros(environment: Environment): Environment {
  for (const [signature, run] of Object.entries(functions))
    environment.registerFunction(signature, run as (...args: unknown[]) => unknown);
  return environment;
}
