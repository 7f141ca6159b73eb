import { isRecord } from "../../../../../../../shared/json/fields.ts";
import { dialectOf } from "./dialect.ts";
import { hasFormat } from "./formats.ts";
import { patternOf } from "./pattern.ts";

/** A schema asks for what is not checked here; it is refused, so nothing passes unseen. */
export class SchemaFault extends Error {}

/** A value that is not what the schema wants. */
export interface Violation {
  /** A JSON pointer. */
  readonly path: string;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;
/** Schemas within schemas, and references within references. */
const DEPTH = 200;
/** The schemas that are looked at; a reference may be followed again and again. */
const STEPS = 2_000_000;

/** Keywords whose meaning needs more than one value and its schema. */
const REFUSED = new Set(
  "$dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor unevaluatedProperties unevaluatedItems".split(
    " ",
  ),
);

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
};
const isType = (value: unknown, type: unknown): boolean =>
  type === "integer" ? typeof value === "number" && Number.isInteger(value) : typeOf(value) === type;

/** True for the same JSON. */
function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => same(item, other[index]));
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  );
}

const pointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? "nothing";

/** Checks one value against schemas that know each other. */
class Validator {
  readonly #root: unknown;
  readonly #known: (schema: Fields) => Fields;
  readonly #resolving = new Map<string, unknown>();
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
    this.#known = dialectOf(root);
  }

  check(written: unknown, value: unknown, path: string, depth: number): readonly Violation[] {
    this.#steps += 1;
    if (depth > DEPTH) throw new SchemaFault(`it nests more than ${DEPTH} levels deep at '${path}'`);
    if (this.#steps > STEPS) throw new SchemaFault(`checking it takes more than ${STEPS} steps`);
    if (written === true) return [];
    if (written === false) return [{ path, message: "no value is allowed here" }];
    if (!isRecord(written))
      throw new SchemaFault(`a schema for '${path}' is neither an object nor true or false`);
    const schema = this.#known(written);
    const found: Violation[] = [];
    const add = (message: string): void => void found.push({ path, message });
    const inner = (one: unknown, of: unknown = value, at = path): readonly Violation[] =>
      this.check(one, of, at, depth + 1);
    if (typeof schema.$ref === "string") found.push(...inner(this.#referred(schema.$ref)));
    this.#plain(schema, value, add);
    if (typeof value === "string") text(schema, value, add);
    if (typeof value === "number") number(schema, value, add);
    if (Array.isArray(value)) this.#list(schema, value, path, inner, add, found);
    else if (isRecord(value)) this.#map(schema, value, path, inner, add, found);
    this.#combined(schema, inner, add, found);
    for (const keyword of Object.keys(schema))
      if (REFUSED.has(keyword))
        throw new SchemaFault(`the keyword ${keyword} is not checked here: leave it out`);
    return found;
  }

  /** A reference within the file; nothing is fetched. */
  #referred(reference: string): unknown {
    const there = this.#resolving.get(reference);
    if (there !== undefined) return there;
    if (!reference.startsWith("#"))
      throw new SchemaFault(`it refers to ${reference}: put that schema into the file, nothing is fetched`);
    const parts = decodeURIComponent(reference.slice(1)).split("/").slice(1);
    let schema: unknown = this.#root;
    for (const part of parts) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(schema)) schema = schema[Number(key)];
      else schema = isRecord(schema) && Object.hasOwn(schema, key) ? schema[key] : undefined;
    }
    if (schema === undefined || (reference !== "#" && parts.length === 0))
      throw new SchemaFault(`it refers to ${reference}, which it does not hold`);
    this.#resolving.set(reference, schema);
    return schema;
  }

  #plain({ type, enum: allowed, const: only }: Fields, value: unknown, add: (message: string) => void): void {
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    if (types.length > 0 && !types.some((one) => isType(value, one)))
      add(`got ${typeOf(value)}, want ${types.join(" or ")}`);
    if (Array.isArray(allowed) && !allowed.some((one) => same(one, value)))
      add(`value must be one of ${allowed.map(shown).join(", ")}`);
    if (only !== undefined && !same(only, value)) add(`value must be ${shown(only)}`);
  }

  #combined(
    schema: Fields,
    inner: (one: unknown) => readonly Violation[],
    add: (message: string) => void,
    found: Violation[],
  ): void {
    const schemas = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
    for (const one of schemas(schema.allOf)) found.push(...inner(one));
    if (Array.isArray(schema.anyOf)) {
      const tried = schema.anyOf.map((one) => inner(one));
      if (!tried.some((violations) => violations.length === 0))
        found.push(...(tried.toSorted((one, other) => one.length - other.length)[0] ?? []));
    }
    if (Array.isArray(schema.oneOf)) {
      const fits = schema.oneOf.filter((one) => inner(one).length === 0).length;
      if (fits !== 1) add(fits === 0 ? "it fits none of oneOf" : "it fits more than one of oneOf");
    }
    if (schema.not !== undefined && inner(schema.not).length === 0) add("it fits what it must not");
    if (schema.if === undefined) return;
    const branch = inner(schema.if).length === 0 ? schema.then : schema.else;
    if (branch !== undefined) found.push(...inner(branch));
  }

  #list(
    schema: Fields,
    value: readonly unknown[],
    path: string,
    inner: (one: unknown, of: unknown, at: string) => readonly Violation[],
    add: (message: string) => void,
    found: Violation[],
  ): void {
    const { items, prefixItems, additionalItems, contains, minItems, maxItems, uniqueItems } = schema;
    if (typeof minItems === "number" && value.length < minItems)
      add(`got ${value.length} items, want at least ${minItems}`);
    if (typeof maxItems === "number" && value.length > maxItems)
      add(`got ${value.length} items, want at most ${maxItems}`);
    if (uniqueItems === true) {
      this.#steps += value.length ** 2;
      if (value.some((item, index) => value.slice(0, index).some((other) => same(item, other))))
        add("two items are the same");
    }
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const rest = Array.isArray(items) ? additionalItems : items;
    for (const [index, item] of value.entries()) {
      const one = index < first.length ? first[index] : rest;
      if (one !== undefined) found.push(...inner(one, item, pointer(path, index)));
    }
    if (contains === undefined) return;
    const fits = value.filter((item) => inner(contains, item, path).length === 0).length;
    const least = typeof schema.minContains === "number" ? schema.minContains : 1;
    if (fits < least) add(`${fits} items fit contains, want at least ${least}`);
    if (typeof schema.maxContains === "number" && fits > schema.maxContains)
      add(`${fits} items fit contains, want at most ${schema.maxContains}`);
  }

  #map(
    schema: Fields,
    value: Fields,
    path: string,
    inner: (one: unknown, of?: unknown, at?: string) => readonly Violation[],
    add: (message: string) => void,
    found: Violation[],
  ): void {
    const { properties, patternProperties, additionalProperties, propertyNames, required } = schema;
    const keys = Object.keys(value);
    const missing = Array.isArray(required)
      ? required.filter((key) => !Object.hasOwn(value, String(key)))
      : [];
    if (missing.length > 0)
      add(`missing ${missing.length === 1 ? "property" : "properties"} ${missing.map(shown).join(", ")}`);
    const { minProperties, maxProperties } = schema;
    if (typeof minProperties === "number" && keys.length < minProperties)
      add(`got ${keys.length} properties, want at least ${minProperties}`);
    if (typeof maxProperties === "number" && keys.length > maxProperties)
      add(`got ${keys.length} properties, want at most ${maxProperties}`);
    const named = isRecord(properties) ? properties : {};
    const patterns = Object.entries(isRecord(patternProperties) ? patternProperties : {}).map(
      ([pattern, one]) => [patternIn(pattern), one] as const,
    );
    for (const key of keys) {
      const at = pointer(path, key);
      const schemas = [
        ...(Object.hasOwn(named, key) ? [named[key]] : []),
        ...patterns.filter(([matches]) => matches(key)).map(([, one]) => one),
      ];
      if (schemas.length === 0 && additionalProperties === false)
        add(`additional property ${shown(key)} not allowed`);
      else if (schemas.length === 0 && additionalProperties !== undefined) schemas.push(additionalProperties);
      for (const one of schemas) found.push(...inner(one, value[key], at));
      if (propertyNames !== undefined) found.push(...inner(propertyNames, key, at));
    }
    this.#dependent(schema, value, inner, add, found);
  }

  #dependent(
    schema: Fields,
    value: Fields,
    inner: (one: unknown) => readonly Violation[],
    add: (message: string) => void,
    found: Violation[],
  ): void {
    for (const keyword of ["dependencies", "dependentRequired", "dependentSchemas"]) {
      const all = schema[keyword];
      for (const [key, needed] of Object.entries(isRecord(all) ? all : {})) {
        if (!Object.hasOwn(value, key)) continue;
        if (!Array.isArray(needed)) found.push(...inner(needed));
        else
          for (const other of needed)
            if (!Object.hasOwn(value, String(other))) add(`with ${shown(key)} it needs ${shown(other)}`);
      }
    }
  }
}

function patternIn(pattern: string): (text: string) => boolean {
  const matches = patternOf(pattern);
  if (matches === undefined)
    throw new SchemaFault(`the pattern ${shown(pattern)} is none that is understood here`);
  return matches;
}

function text(
  { minLength, maxLength, pattern, format }: Fields,
  value: string,
  add: (message: string) => void,
): void {
  const length = [...value].length;
  if (typeof minLength === "number" && length < minLength)
    add(`got ${length} characters, want at least ${minLength}`);
  if (typeof maxLength === "number" && length > maxLength)
    add(`got ${length} characters, want at most ${maxLength}`);
  if (typeof pattern === "string" && !patternIn(pattern)(value))
    add(`${shown(value)} does not match pattern ${shown(pattern)}`);
  if (!hasFormat(format, value)) add(`${shown(value)} is not valid ${String(format)}`);
}

/** A number as it is written: its digits, and how far the point is from their end. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "", exponent] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** True for a multiple in decimals: 0.3 is one of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const [[digits, exponent], [divisor, divisorExponent]] = [decimal(value), decimal(of)];
  const least = Math.min(exponent, divisorExponent);
  const scaled = (number: bigint, at: number): bigint => number * 10n ** BigInt(at - least);
  return scaled(digits, exponent) % scaled(divisor, divisorExponent) === 0n;
}

function number(schema: Fields, value: number, add: (message: string) => void): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && (value < minimum || (exclusiveMinimum === true && value === minimum)))
    add(`got ${value}, want at least ${minimum}`);
  if (typeof maximum === "number" && (value > maximum || (exclusiveMaximum === true && value === maximum)))
    add(`got ${value}, want at most ${maximum}`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    add(`got ${value}, want more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    add(`got ${value}, want less than ${exclusiveMaximum}`);
  if (typeof multipleOf === "number" && multipleOf > 0 && !isMultiple(value, multipleOf))
    add(`got ${value}, want a multiple of ${multipleOf}`);
}

/**
 * The places where a value is not what a JSON schema wants: the keywords of its draft, 4 to 2020-12, but for those that follow what other
 * keywords have looked at. `format` counts in the drafts before 2019-09.
 * @throws SchemaFault for a schema that is none, that refers outside its file, or that asks for more than is checked
 */
export const violations = (schema: unknown, value: unknown): readonly Violation[] =>
  new Validator(schema).check(schema, value, "", 0);
