import { FunctionFault } from "../errors.ts";
import type { Call, Functions, TemplateFunction } from "../function.ts";
import { Dict, List, typeOf, type Value } from "../values.ts";
import { deepCopy, isEmpty } from "./deep.ts";
import { alsoMust, fixed, textFrom, variadic } from "./define.ts";

const MAP = "map[string]interface {}";

function dict(values: readonly Value[], call: Call): Dict {
  const entries = new Map<string, Value>();
  for (let index = 0; index < values.length; index += 2) {
    const key = textFrom(values[index], call);
    entries.set(key, index + 1 < values.length ? values[index + 1] : "");
  }
  return new Dict(entries);
}

function writable(target: Dict): Dict {
  if (target.isNil) throw new FunctionFault("assignment to entry in nil map");
  return target;
}

/** Fills what a map lacks, or has empty, from another; with `overwrites`, all that the other has. */
function merge(target: Dict, source: Dict, overwrites: boolean, call: Call, depth = 0): Dict {
  call.budget.within(depth);
  const merged = target.isNil ? new Dict() : target;
  for (const [key, value] of [...source.entries]) {
    call.budget.step();
    const there = merged.entries.get(key);
    if (value === undefined || value === null) {
      if (overwrites) merged.entries.set(key, null);
      continue;
    }
    if (value instanceof Dict && there instanceof Dict) merge(there, value, overwrites, call, depth + 1);
    const keeps =
      !isEmpty(there) &&
      ((value instanceof List && !overwrites) ||
        (value instanceof Dict && there instanceof Dict) ||
        !overwrites);
    if (!keeps) merged.entries.set(key, value);
  }
  return merged;
}
const merging = (overwrites: boolean): TemplateFunction =>
  variadic([MAP], MAP, ([target, ...sources], call) =>
    sources.reduce<Dict>((merged, source) => merge(merged, source, overwrites, call), target),
  );

function dig(values: readonly Value[]): Value {
  if (values.length < 3) throw new FunctionFault("dig needs at least three arguments");
  const keys = values.slice(0, -2);
  let value = values.at(-1);
  for (const key of [...keys]) {
    if (!(value instanceof Dict) || value.type !== MAP)
      throw new FunctionFault(
        `interface conversion: interface {} is ${typeOf(value)}, not map[string]interface {}`,
      );
    if (typeof key !== "string")
      throw new FunctionFault(`interface conversion: interface {} is ${typeOf(key)}, not string`);
    if (!value.entries.has(key)) return values.at(-2);
    value = value.entries.get(key);
  }
  return value;
}
/** All keys must be text before any is looked up. */
function requireTextKeys(values: readonly Value[]): readonly Value[] {
  for (const key of values.slice(0, -2))
    if (typeof key !== "string")
      throw new FunctionFault(`interface conversion: interface {} is ${typeOf(key)}, not string`);
  return values;
}

/** Functions on maps. */
export const dicts: Functions = {
  dict: variadic([], "interface {}", dict),
  get: fixed([MAP, "string"], ([{ entries }, key]) => (entries.has(key) ? entries.get(key) : "")),
  set: fixed([MAP, "string", "interface {}"], ([target, key, value]) => {
    writable(target).entries.set(key, value ?? null);
    return target;
  }),
  unset: fixed([MAP, "string"], ([target, key]) => {
    target.entries.delete(key);
    return target;
  }),
  hasKey: fixed([MAP, "string"], ([{ entries }, key]) => entries.has(key)),
  pluck: variadic(["string"], MAP, ([key, ...maps]) =>
    List.appended(maps.filter(({ entries }) => entries.has(key)).map(({ entries }) => entries.get(key))),
  ),
  // Go gives keys and values in any order; here it is always the same.
  keys: variadic([], MAP, (maps, { budget }) => {
    const keys = maps.flatMap((map) => map.sortedKeys());
    budget.items(keys.length);
    return List.appended(keys, "string");
  }),
  values: fixed([MAP], ([map], { budget }) => {
    budget.items(map.entries.size);
    return List.appended(map.sortedKeys().map((key) => map.entries.get(key)));
  }),
  pick: variadic(
    [MAP],
    "string",
    ([{ entries }, ...keys]) =>
      new Dict(keys.filter((key) => entries.has(key)).map((key) => [key, entries.get(key)])),
  ),
  omit: variadic([MAP], "string", ([{ entries }, ...keys], { budget }) => {
    budget.items(entries.size);
    return new Dict([...entries].filter(([key]) => !keys.includes(key)));
  }),
  ...alsoMust("merge", merging(false)),
  ...alsoMust("mergeOverwrite", merging(true)),
  dig: variadic([], "interface {}", (values) => dig(requireTextKeys(values))),
  ...alsoMust(
    "deepCopy",
    fixed(["interface {}"], ([value], { budget }) => {
      // Go's library asks nothing for its type.
      if (value === undefined || value === null)
        throw new FunctionFault("reflect: call of reflect.Value.Type on zero Value");
      return deepCopy(value, budget);
    }),
  ),
};
