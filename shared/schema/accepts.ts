import type * as z from "zod";

/** True only where the schema would take the value, and give it back unchanged but for fields that it does not know. */
type Acceptor = (value: unknown) => boolean;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const acceptors = new WeakMap<z.core.$ZodType, Acceptor>();
const never: Acceptor = () => false;

/**
 * True where a schema certainly takes a value as it is. False says nothing: then the schema itself must be asked, which also
 * names the faults. For values that are checked again and again and nearly always right: zod builds results, this only looks.
 * Schemas that change their input (a default that is missing, transformations) or check by code of their own are never certain.
 */
export function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  let acceptor = acceptors.get(schema);
  if (acceptor === undefined) {
    acceptor = compiled(schema) ?? never;
    acceptors.set(schema, acceptor);
  }
  return acceptor(value);
}

/** Undefined where nothing can be certain. */
function compiled(schema: z.core.$ZodType): Acceptor | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return stringOf(def);
    case "number":
      return numberOf(def);
    case "boolean":
      return plain(def, (value) => typeof value === "boolean");
    case "null":
      return plain(def, (value) => value === null);
    case "unknown":
    case "any":
      return plain(def, () => true);
    case "literal":
      return plain(def, (value) => def.values.some((one) => one === value));
    case "enum": {
      const values = new Set<unknown>(Object.values(def.entries));
      return plain(def, (value) => values.has(value));
    }
    case "optional": {
      const inner = compiled(def.innerType);
      return inner && plain(def, (value) => value === undefined || inner(value));
    }
    case "default":
    case "nonoptional": {
      // Where there is a value, nothing is added.
      const inner = compiled(def.innerType);
      return inner && plain(def, (value) => value !== undefined && inner(value));
    }
    case "nullable": {
      const inner = compiled(def.innerType);
      return inner && plain(def, (value) => value === null || inner(value));
    }
    case "lazy":
      return plain(def, (value) => accepts((schema as z.core.$ZodLazy)._zod.innerType, value));
    case "union": {
      const options = def.options.flatMap((option) => compiled(option) ?? []);
      return def.inclusive === false ? undefined : plain(def, (value) => options.some((one) => one(value)));
    }
    case "array":
      return arrayOf(def);
    case "record":
      return recordOf(def);
    case "object":
      return objectOf(def);
    default:
      return undefined;
  }
}

/** A schema with checks beside its type is not certain, but for those that are known. */
const plain = (def: z.core.$ZodTypeDef, acceptor: Acceptor): Acceptor | undefined =>
  (def.checks ?? []).length === 0 ? acceptor : undefined;

/** All of them; undefined where one is undefined. */
function all(tests: readonly (Acceptor | undefined)[]): Acceptor | undefined {
  const known = tests.flatMap((test) => test ?? []);
  if (known.length < tests.length) return undefined;
  const [only] = known;
  return known.length === 1 ? only : (value) => known.every((test) => test(value));
}

const checksOf = (def: z.core.$ZodTypeDef) =>
  (def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);

function patternOf(def: {
  readonly format?: string;
  readonly pattern?: RegExp | undefined;
}): Acceptor | undefined {
  const { format, pattern } = def;
  if (pattern === undefined || pattern.global || pattern.sticky) return undefined;
  if (format !== "regex" && format !== "datetime") return undefined;
  return (value) => pattern.test(value as string);
}

const lengthOf = (value: unknown): number => (value as { readonly length: number }).length;

function stringOf(def: z.core.$ZodStringDef & { readonly pattern?: RegExp }): Acceptor | undefined {
  if (def.coerce === true) return undefined;
  return all([
    (value) => typeof value === "string",
    ...("format" in def ? [patternOf(def as Parameters<typeof patternOf>[0])] : []),
    ...checksOf(def).map((check) => {
      if (check.check === "string_format") return patternOf(check as Parameters<typeof patternOf>[0]);
      return lengthCheck(check);
    }),
  ]);
}

function lengthCheck(check: ReturnType<typeof checksOf>[number]): Acceptor | undefined {
  if (check.check === "min_length") return (value) => lengthOf(value) >= check.minimum;
  if (check.check === "max_length") return (value) => lengthOf(value) <= check.maximum;
  return undefined;
}

/** The whole numbers of each format. */
const integers: ReadonlyMap<string, Acceptor> = new Map([
  ["safeint", Number.isSafeInteger],
  ["int32", (value) => Number.isInteger(value) && (value as number) === ((value as number) | 0)],
]);

function numberOf(def: z.core.$ZodNumberDef & { readonly format?: string }): Acceptor | undefined {
  if (def.coerce === true) return undefined;
  const formatted = (format: string): Acceptor | undefined => integers.get(format);
  return all([
    Number.isFinite,
    ...(def.format === undefined ? [] : [formatted(def.format)]),
    ...checksOf(def).map((check): Acceptor | undefined => {
      if (check.check === "number_format") return formatted(check.format);
      if (check.check !== "greater_than" && check.check !== "less_than") return undefined;
      const { value: bound, inclusive } = check;
      if (typeof bound !== "number") return undefined;
      const sign = check.check === "greater_than" ? 1 : -1;
      return (value) => (inclusive && value === bound) || ((value as number) - bound) * sign > 0;
    }),
  ]);
}

function arrayOf(def: z.core.$ZodArrayDef): Acceptor | undefined {
  const element = compiled(def.element);
  return (
    element &&
    all([
      Array.isArray,
      ...checksOf(def).map(lengthCheck),
      (value) => (value as readonly unknown[]).every(element),
    ])
  );
}

function recordOf(def: z.core.$ZodRecordDef): Acceptor | undefined {
  const key = compiled(def.keyType);
  const inner = compiled(def.valueType);
  if (key === undefined || inner === undefined) return undefined;
  return plain(def, (value) => {
    if (!isFields(value)) return false;
    for (const name of Object.keys(value))
      if (name === "__proto__" || !key(name) || !inner(value[name])) return false;
    return true;
  });
}

function objectOf(def: z.core.$ZodObjectDef): Acceptor | undefined {
  // Strict objects refuse what they do not know.
  const { type: rest } = (def.catchall as z.core.$ZodTypes | undefined)?._zod.def ?? {};
  if (rest !== undefined && rest !== "unknown") return undefined;
  const fields = Object.entries(def.shape).map(([name, schema]) => {
    const inner = compiled(schema);
    return inner && { name, inner, optional: (schema as z.core.$ZodTypes)._zod.def.type === "optional" };
  });
  const known = fields.flatMap((field) => field ?? []);
  if (known.length < fields.length) return undefined;
  return plain(def, (value) => {
    if (!isFields(value)) return false;
    for (const { name, inner, optional } of known) {
      const field = value[name];
      if (field === undefined ? !optional : !inner(field)) return false;
    }
    return true;
  });
}
