import { sameJson } from "../../../shared/json/same-json.ts";
import { isObject, type JsonObject, setOwn } from "../json.ts";
import { elementText, FieldSet, fieldElement, keyElement, valueElement } from "./field-set.ts";
import { fieldShape, type ListShape, type MapShape, resolve, type Shape } from "./shape.ts";

/** The path element of an item of a set or list map. */
function itemElement(shape: ListShape, item: unknown): string {
  if (shape.merge === "set") return valueElement(item);
  const key: JsonObject = {};
  for (const { name, default: fallback } of shape.keys) {
    const value = isObject(item) ? (item[name] ?? fallback) : undefined;
    if (value !== undefined) key[name] = value;
  }
  return keyElement(key);
}

/** The items of a set or list map by path element. Of items with the same element the last counts. */
function itemsByElement(shape: ListShape, list: unknown): Map<string, unknown> {
  return new Map(Array.isArray(list) ? list.map((item) => [itemElement(shape, item), item]) : []);
}

const asMap = (value: unknown): JsonObject => (isObject(value) ? value : {});
const isEmptyMap = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** All fields that a value states: what an applied configuration owns. */
export function fieldsOf(shape: Shape, value: unknown): FieldSet {
  const set = new FieldSet();
  collect(shape, value, set);
  return set;
}

function collect(given: Shape, value: unknown, node: FieldSet): void {
  const shape = resolve(given, value);
  if (shape.kind === "map" && isObject(value)) {
    if (shape.atomic) {
      node.member = true;
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      const below = fieldShape(shape, name);
      if (below === undefined || inner === undefined) continue;
      const child = node.child(fieldElement(name));
      collect(below, inner, child);
      if (inner === null || isEmptyMap(inner) || !shape.fields.has(name)) child.member = true;
    }
    return;
  }
  if (shape.kind === "list" && Array.isArray(value) && shape.merge !== "atomic") {
    for (const item of value) {
      const child = node.child(itemElement(shape, item));
      collect(shape.items, item, child);
      child.member = true;
    }
    return;
  }
  if (shape.kind === "scalar" || value !== null) node.member = true;
}

/** The difference between two values, as sets of fields. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compare(shape: Shape, before: unknown, after: unknown): Comparison {
  const out = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  compareAt(shape, before, after, [], out);
  return out;
}

const insert = (set: FieldSet, path: readonly string[]): void => {
  let node = set;
  for (const element of path) node = node.child(element);
  node.member = true;
};

function compareAt(
  given: Shape,
  before: unknown,
  after: unknown,
  path: readonly string[],
  out: Comparison,
): void {
  if (before === undefined && after === undefined) return;
  const shape = resolve(given, after ?? before);
  if (
    given.kind === "deduced" &&
    before != null &&
    after != null &&
    resolve(given, before).kind !== shape.kind
  ) {
    insert(out.modified, path);
    compareAt(given, before, undefined, path, { ...out, added: new FieldSet(), modified: new FieldSet() });
    compareAt(given, undefined, after, path, { ...out, removed: new FieldSet() });
    return;
  }
  if (isLeaf(shape, before, after)) {
    if (before === undefined) insert(out.added, path);
    else if (after === undefined) insert(out.removed, path);
    else if (!sameJson(before, after)) insert(out.modified, path);
    return;
  }
  if (shape.kind === "map") {
    const [old, next] = [asMap(before), asMap(after)];
    for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
      const below = fieldShape(shape, name);
      if (below !== undefined) compareAt(below, old[name], next[name], [...path, fieldElement(name)], out);
    }
  } else if (shape.kind === "list") {
    const [old, next] = [itemsByElement(shape, before), itemsByElement(shape, after)];
    for (const element of new Set([...old.keys(), ...next.keys()])) {
      compareAt(shape.items, old.get(element), next.get(element), [...path, element], out);
    }
  }
  if (before === undefined) insert(out.added, path);
  else if (after === undefined) insert(out.removed, path);
}

/** Atomic values, and maps and lists that are empty on both sides, have no inner fields. */
function isLeaf(
  shape: MapShape | ListShape | { readonly kind: "scalar" },
  before: unknown,
  after: unknown,
): boolean {
  if (shape.kind === "scalar") return true;
  if (shape.kind === "map") return shape.atomic || (isBlank(before) && isBlank(after));
  return shape.merge === "atomic" || (isBlank(before) && isBlank(after));
}
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : !isObject(value) || Object.keys(value).length === 0;

/** The live value with an applied configuration laid over it. */
export function merge(given: Shape, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  if (live === undefined || live === null || config === null) return config;
  const shape = resolve(given, config);
  if (shape.kind === "map" && !shape.atomic && isObject(live) && isObject(config)) {
    const out: JsonObject = {};
    for (const name of new Set([...Object.keys(live), ...Object.keys(config)])) {
      setOwn(out, name, merge(fieldShape(shape, name) ?? { kind: "deduced" }, live[name], config[name]));
    }
    return out;
  }
  if (shape.kind === "list" && shape.merge !== "atomic" && Array.isArray(live) && Array.isArray(config)) {
    return mergeLists(shape, live, config);
  }
  return config;
}

/** Items keep the order of the live list; where the configuration orders shared items otherwise, its order wins. */
function mergeLists(shape: ListShape, live: readonly unknown[], config: readonly unknown[]): unknown[] {
  const left = live.map((item) => itemElement(shape, item));
  const right = config.map((item) => itemElement(shape, item));
  const lefts = new Map(left.map((element, index) => [element, live[index]]));
  const rights = new Map(right.map((element, index) => [element, config[index]]));
  const shared = right.filter((element) => lefts.has(element));
  const merged = new Set<string>();
  const out: unknown[] = [];
  const take = (element: string): void => {
    merged.add(element);
    out.push(merge(shape.items, lefts.get(element), rights.get(element)));
    if (shared[0] === element) shared.shift();
  };
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const [mine, theirs] = [left[l], right[r]];
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        take(mine);
        l++;
        r++;
        continue;
      }
      if (rights.has(mine) && shared.length > 0 && shared[0] !== mine) {
        l++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!rights.has(mine)) {
        out.push(live[l]);
        l++;
        continue;
      }
      if (merged.has(mine)) l++;
    }
    if (theirs !== undefined) {
      if (!merged.has(theirs)) take(theirs);
      r++;
    }
  }
  return out;
}

/**
 * Takes fields out of a value. What loses its last inner field becomes null, as in the real server: that is why dropping
 * all keys of a custom resource's map fails there with `Invalid value: "null"`.
 */
export function removeFields(given: Shape, value: unknown, fields: FieldSet): unknown {
  const shape = resolve(given, value);
  if (shape.kind === "map" && isObject(value)) {
    if (shape.atomic) return value;
    const out: JsonObject = {};
    for (const [name, inner] of Object.entries(value)) {
      const node = fields.children.get(fieldElement(name));
      if (node?.member === true) continue;
      const below = fieldShape(shape, name);
      setOwn(
        out,
        name,
        node === undefined || node.children.size === 0 || below === undefined
          ? inner
          : removeFields(below, inner, node),
      );
    }
    return Object.keys(out).length > 0 ? out : null;
  }
  if (shape.kind === "list" && Array.isArray(value)) {
    if (shape.merge === "atomic") return value;
    const out: unknown[] = [];
    for (const item of value) {
      const node = fields.children.get(itemElement(shape, item));
      if (node?.member === true) continue;
      out.push(node === undefined || node.children.size === 0 ? item : removeFields(shape.items, item, node));
    }
    return out.length > 0 ? out : null;
  }
  return value;
}

/** Adds the declared fields on the way to members: a struct counts as owned by who owns something in it. */
export function withNamedFields(given: Shape, fields: FieldSet): FieldSet {
  const out = new FieldSet(fields.member);
  for (const [element, child] of fields.children) {
    const shape = given.kind === "deduced" ? undefined : given;
    let below: Shape = { kind: "deduced" };
    let declared = false;
    if (shape?.kind === "map" && element.startsWith("f:")) {
      const name = element.slice(2);
      declared = shape.fields.has(name);
      below = fieldShape(shape, name) ?? below;
    } else if (shape?.kind === "list") below = shape.items;
    const inner = withNamedFields(below, child);
    if (declared && child.children.size > 0) inner.member = true;
    out.children.set(element, inner);
  }
  return out;
}

/**
 * The reasons why a configuration does not fit the schema, in the words of the real server (`.spec.x: field not declared in
 * schema`).
 */
export function typedErrors(given: Shape, value: unknown, path = ""): string[] {
  if (value === null || value === undefined) return [];
  const shape = resolve(given, value);
  if (shape.kind === "scalar") return scalarErrors(shape.type, value, path);
  if (shape.kind === "map") {
    if (!isObject(value)) return [`${path}: expected map, got &{${goText(value)}}`];
    return Object.entries(value).flatMap(([name, inner]) => {
      const below = fieldShape(shape, name);
      return below === undefined
        ? [`${path}.${name}: field not declared in schema`]
        : typedErrors(below, inner, `${path}.${name}`);
    });
  }
  if (!Array.isArray(value)) return [`${path}: expected list, got &{${goText(value)}}`];
  const errors: string[] = [];
  const seen = new Map<string, boolean>();
  for (const [index, item] of value.entries()) {
    let at = `${path}[${index}]`;
    if (shape.merge !== "atomic") {
      const fault = itemFault(shape, item, index, path);
      if (fault !== undefined) {
        errors.push(fault);
        continue;
      }
      const element = itemElement(shape, item);
      at = path + elementText(element);
      if (seen.get(element) === false)
        errors.push(`${path}: duplicate entries for key ${duplicateText(element)}`);
      seen.set(element, seen.has(element));
    }
    errors.push(...typedErrors(shape.items, item, at));
  }
  return errors;
}

/** The doubled item of a set, as the real server spells it: `[="a"]`. */
const duplicateText = (element: string): string =>
  element.startsWith("v:") ? `[=${element.slice(2)}]` : elementText(element);

function itemFault(shape: ListShape, item: unknown, index: number, path: string): string | undefined {
  const start = `${path}: element ${index}: associative list`;
  if (shape.merge === "set") {
    return item === null ? `${start} without keys has an element that's an explicit null` : undefined;
  }
  if (!isObject(item)) return `${start} with keys may not have non-map elements`;
  if (!shape.keys.every((key) => item[key.name] === undefined && key.default === undefined)) return undefined;
  const names = shape.keys.map((key) => `"${key.name}"`).join(" ");
  return `${start} with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

function scalarErrors(
  type: "string" | "numeric" | "boolean" | "untyped",
  value: unknown,
  path: string,
): string[] {
  const found = typeof value;
  if (type === "untyped") return [];
  if (type === "numeric") {
    return found === "number" ? [] : [`${path}: expected numeric (int or float), got ${goType(value)}`];
  }
  if (found === type) return [];
  const shown =
    type === "string" ? `&value.valueUnstructured{Value:${goSyntax(value)}}` : `&{${goText(value)}}`;
  return [`${path}: expected ${type}, got ${shown}`];
}

const goType = (value: unknown): string =>
  Array.isArray(value)
    ? "list"
    : isObject(value)
      ? "map"
      : typeof value === "boolean"
        ? "bool"
        : typeof value;

/** A value as Go prints it with %v. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (isObject(value)) {
    return `map[${Object.keys(value)
      .sort()
      .map((name) => `${name}:${goText(value[name])}`)
      .join(" ")}]`;
  }
  return value === null || value === undefined ? "<nil>" : String(value);
}

/** A value as Go prints it with %#v. */
function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (isObject(value)) {
    const fields = Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${goSyntax(value[name])}`);
    return `map[string]interface {}{${fields.join(", ")}}`;
  }
  return value === null || value === undefined ? "interface {}(nil)" : JSON.stringify(value);
}
