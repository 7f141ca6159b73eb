import type { SettingPath } from "./outline.ts";

/** Settings as they were written, before any is checked. */
export type Tree = { [name: string]: unknown };

export const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value there; undefined where there is none. */
export function valueAt(tree: unknown, path: SettingPath): unknown {
  let value = tree;
  for (const name of path) {
    if (!isTree(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Puts a value there; groups on the way are made, and what is no group gives way. */
export function put(tree: Tree, path: SettingPath, value: unknown): void {
  let group = tree;
  for (const name of path.slice(0, -1)) {
    const next = Object.hasOwn(group, name) ? group[name] : undefined;
    if (isTree(next)) group = next;
    else {
      const made: Tree = {};
      set(group, name, made);
      group = made;
    }
  }
  set(group, path.at(-1) ?? "", value);
}

/** `__proto__` becomes a name as any other. */
const set = (group: Tree, name: string, value: unknown): void => {
  Object.defineProperty(group, name, { value, enumerable: true, writable: true, configurable: true });
};

/** Every value below, groups left out; an empty group counts as a value. */
export function* valuesIn(
  value: unknown,
  path: SettingPath = [],
): Generator<readonly [SettingPath, unknown]> {
  const names = isTree(value) ? Object.keys(value) : [];
  if (!isTree(value) || names.length === 0) yield [path, value];
  else for (const name of names) yield* valuesIn(value[name], [...path, name]);
}
