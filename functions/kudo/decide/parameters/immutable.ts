import type { Definition } from "../definition/index.ts";
import type { Edit } from "./changes.ts";
import { effectiveValue, parametersOf, type Values, valueIn } from "./effective.ts";

/** The defaults of immutable parameters that a new Instance does not give: they are kept with it, whatever a later version says. */
export const immutableDefaults = (definition: Definition, values: Values | undefined): Values =>
  Object.fromEntries(
    [...parametersOf(definition).values()].flatMap(({ name, immutable, default: value }) =>
      immutable === true && value !== undefined && valueIn(values, name) === undefined ? [[name, value]] : [],
    ),
  );

/** The immutable values that an edit without an upgrade leaves out: they stay. */
export const keptImmutables = ({ before, after, to }: Edit): Values =>
  Object.fromEntries(
    [...parametersOf(to).values()].flatMap(({ name, immutable }) => {
      const value = valueIn(before, name);
      return immutable === true && value !== undefined && valueIn(after, name) === undefined
        ? [[name, value]]
        : [];
    }),
  );

/** The values of parameters that an upgrade takes away. */
export const droppedByUpgrade = ({ after, from, to }: Edit): readonly string[] => {
  const known = parametersOf(to);
  return [...parametersOf(from).keys()].filter(
    (name) => !known.has(name) && valueIn(after, name) !== undefined,
  );
};

/**
 * The reason why an edit is refused that changes what counts of an immutable parameter, in words: by another value, by none, or by
 * the default of another version. A parameter that this version makes immutable may come with another value.
 */
export function immutableFault({ before, after, from, to }: Edit): string | undefined {
  const known = parametersOf(from);
  for (const now of parametersOf(to).values()) {
    const was = known.get(now.name);
    if (now.immutable !== true || was?.immutable !== true) continue;
    const [old, next] = [effectiveValue(was, before), effectiveValue(now, after)];
    if (old !== next)
      return `parameter '${now.name}' is immutable but was changed from '${old}' to '${next}'`;
  }
  return undefined;
}

/** The reason why an upgrade is refused that brings an immutable parameter and no value for it, in words. */
export function upgradeFault({ after, from, to }: Edit): string | undefined {
  const before = parametersOf(from);
  const needed = [...parametersOf(to).values()].filter(
    ({ name, immutable }) => immutable === true && valueIn(after, name) === undefined,
  );
  const turned = needed.find(({ name }) => before.has(name) && before.get(name)?.immutable !== true);
  if (turned !== undefined)
    return `parameter '${turned.name}' was changed to immutable in operator version ${to.metadata.name} but no value was provided`;
  const added = needed.find(({ name }) => !before.has(name));
  if (added === undefined) return undefined;
  const missing = `parameter '${added.name}' was added in operator version ${to.metadata.name}, but no value was provided`;
  return added.default === undefined ? missing : `${missing} (default would be ${added.default})`;
}
