import { Environment } from "@marcbachmann/cel-js";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";
import { escapedName } from "./value.ts";

/** Registers functions and types in an environment. */
type Register = (environment: Environment) => Environment;

/**
 * An environment in which rules of a schema are checked, never run: `self` has the types that the schema declares.
 * `root`: the schema is that of whole objects.
 */
export function typedEnvironment(
  schema: StructuralSchema,
  root: boolean,
  options: TypedOptions,
  registers: readonly Register[],
): Environment {
  const key = `${root} ${options.optionalOldSelf} ${options.mixedLists}`;
  let known = environments.get(schema);
  if (known === undefined) {
    known = new Map();
    environments.set(schema, known);
  }
  const environment = known.get(key) ?? make(schema, root, options, registers);
  known.set(key, environment);
  return environment;
}
/** Large schemas have many rules. */
const environments = new WeakMap<StructuralSchema, Map<string, Environment>>();

export interface TypedOptions {
  readonly optionalOldSelf: boolean;
  /** Lists that are spelled out may have items of several types. */
  readonly mixedLists: boolean;
}

function make(
  schema: StructuralSchema,
  root: boolean,
  { optionalOldSelf, mixedLists }: TypedOptions,
  registers: readonly Register[],
): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: !mixedLists,
    enableOptionalTypes: true,
  });
  for (const register of registers) register(environment);
  const self = new Types(environment).of(root ? whole(schema) : schema);
  return environment
    .registerVariable("self", self)
    .registerVariable("oldSelf", optionalOldSelf ? `optional<${self}>` : self);
}

const text: StructuralSchema = { type: "string" };
/** The fields that rules see of every object beside its own. */
export const ofEveryObject: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: text,
  kind: text,
  metadata: { type: "object", properties: { name: text, generateName: text } },
};
const whole = (schema: StructuralSchema): StructuralSchema => ({
  ...schema,
  properties: { ...schema.properties, ...ofEveryObject },
});

/** Names of CEL types for schemas; objects become types of their own. */
class Types {
  readonly #environment: Environment;
  #count = 0;
  constructor(environment: Environment) {
    this.#environment = environment;
  }

  of(schema: StructuralSchema): string {
    // A value that may be null, or of two types, is known only when it is there.
    if (schema.nullable === true || schema["x-kubernetes-int-or-string"] === true) return "dyn";
    switch (schema.type) {
      case "boolean":
        return "bool";
      case "integer":
        return "int";
      case "number":
        return "double";
      case "string":
        return ofFormat(schema.format);
      case "array":
        return schema.items === undefined ? "list<dyn>" : `list<${this.of(schema.items)}>`;
      case "object":
        return isObject(schema.additionalProperties)
          ? `map<string, ${this.of(schema.additionalProperties)}>`
          : this.#message(schema["x-kubernetes-embedded-resource"] === true ? whole(schema) : schema);
      default:
        return "dyn";
    }
  }

  #message({ properties = {} }: StructuralSchema): string {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [escapedName(name), this.of(field)]),
    );
    const name = `Self${this.#count++}`;
    // Equality is declared for each type; rules are only checked here, so it need not compare.
    this.#environment.registerType(name, { fields }).registerOperator(`${name} == ${name}`, () => false);
    return name;
  }
}

function ofFormat(format: string | undefined): string {
  if (format === "date-time" || format === "datetime") return "google.protobuf.Timestamp";
  if (format === "duration") return "google.protobuf.Duration";
  if (format === "date") return "dyn";
  return format === "byte" ? "bytes" : "string";
}
