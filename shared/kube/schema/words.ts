import * as z from "zod";

/**
 * The words in which the API's own types are written. Their `.meta` says what zod cannot: `structuralSchemaOf` carries
 * it into CRDs and into the local API's built-in kinds.
 */
export const text = z.string();
export const flag = z.boolean();
export const int32 = z.int32();
/** JSON numbers: beyond 2^53 they are not exact, which no field of the API reaches. */
export const int64 = z.int();

/**
 * A string of which the server knows these values. The API does not put them into its CRD schemas (a later version may
 * know more), so neither do we; for built-in kinds they become `enum`.
 */
export const oneOf = (...values: readonly string[]): z.ZodString => z.string().meta({ "x-enum": values });

/**
 * A string of which TypeScript knows the values and the server does not: an object whose status another operator wrote
 * with a word of its own must still be accepted when its user edits it. Readers take what they do not know for Unknown.
 */
export const word = <T extends string>(): z.ZodType<T, T> => z.string() as unknown as z.ZodType<T, T>;

/** A number, or a name or percentage. */
export const intOrString = z.union([z.int(), z.string()]).meta({ "x-kubernetes-int-or-string": true });

const QUANTITY =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;
/** An amount with a unit, `500m` or `1Gi`. The pattern is the one that every CRD with a quantity carries. */
export const quantity = z
  .union([z.int(), z.string().regex(QUANTITY)])
  .meta({ "x-kubernetes-int-or-string": true, pattern: QUANTITY.source, "x-quantity": true });

/** RFC 3339 in seconds. Not checked by zod: the server has done it. */
export const time = z.string().meta({ format: "date-time" });
/** RFC 3339 in microseconds, as Leases and Events want it. */
export const microTime = z.string().meta({ format: "date-time", "x-micro-time": true });

/** Base64. */
export const bytes = z.string().meta({ format: "byte" });

export const mapOf = <V extends z.ZodType>(value: V): z.ZodRecord<z.ZodString, V> =>
  z.record(z.string(), value);

/** A list with one owner: whoever applies it owns all of it. */
export const atomic = <I extends z.ZodType>(item: I): z.ZodArray<I> =>
  z.array(item).meta({ "x-kubernetes-list-type": "atomic" });

/** A list whose items are told apart by `keys`: several field managers may own an item each. */
export const keyed = <I extends z.ZodType>(item: I, ...keys: readonly [string, ...string[]]): z.ZodArray<I> =>
  z.array(item).meta({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
    "x-kubernetes-patch-merge-key": keys[0],
    "x-kubernetes-patch-strategy": "merge",
  });

/**
 * A keyed list, as `keyed` declares one; a strategic merge patch of an item also drops the fields that its `$retainKeys` leaves
 * out.
 */
export const keyedRetaining = <I extends z.ZodType>(
  item: I,
  ...keys: readonly [string, ...string[]]
): z.ZodArray<I> => keyed(item, ...keys).meta({ "x-kubernetes-patch-strategy": "merge,retainKeys" });

/** A list without doubles, each item its own. */
export const setOf = <I extends z.ZodType>(item: I): z.ZodArray<I> =>
  z.array(item).meta({ "x-kubernetes-list-type": "set" });
