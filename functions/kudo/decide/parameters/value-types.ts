import { documentsOf } from "../../../../shared/manifests/documents.ts";
import type { ValueType } from "../../kinds/index.ts";
import type { Definition } from "../definition/index.ts";
import { listed, quoted } from "../definition/index.ts";
import { type Named, parametersOf, type Values, valueIn } from "./effective.ts";

const INTEGER = /^[+-]?[0-9]+$/;
const [SMALLEST, LARGEST] = [-(2n ** 63n), 2n ** 63n - 1n];
const DIGITS = "[0-9](?:_?[0-9])*";
const HEX = "[0-9a-f](?:_?[0-9a-f])*";
/** The numbers that Go's ParseFloat reads. */
const NUMBER = new RegExp(
  `^[+-]?(?:inf|infinity|nan|(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?${DIGITS})?|0x_?(?:${HEX}(?:\\.(?:${HEX})?)?|\\.${HEX})p[+-]?${DIGITS})$`,
  "i",
);
const BOOLEAN = /^(?:1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/;

const unreadable = (type: ValueType, text: string, by: string, why = "invalid syntax"): string =>
  `type is ${quoted(type)} but format of ${quoted(text)} is invalid: strconv.${by}: parsing ${quoted(text)}: ${why}`;

/** The value of a text of YAML; undefined where it is none. Of several documents the first counts. */
function yamlOf(text: string): { readonly value: unknown } | undefined {
  const { documents, faults } = documentsOf(text);
  if (faults.some(({ number }) => number === 1)) return undefined;
  return { value: documents[0]?.value ?? null };
}

const FAULTS: Readonly<Record<ValueType, (text: string) => string | undefined>> = {
  string: () => undefined,
  integer: (text) => {
    if (!INTEGER.test(text)) return unreadable("integer", text, "ParseInt");
    const value = BigInt(text.replace(/^\+/, ""));
    return value < SMALLEST || value > LARGEST
      ? unreadable("integer", text, "ParseInt", "value out of range")
      : undefined;
  },
  number: (text) => {
    if (!NUMBER.test(text)) return unreadable("number", text, "ParseFloat");
    const isHuge = /^[+-]?[0-9._]/.test(text) && !Number.isFinite(Number(text.replaceAll("_", "")));
    return isHuge && !/x/i.test(text)
      ? unreadable("number", text, "ParseFloat", "value out of range")
      : undefined;
  },
  boolean: (text) => (BOOLEAN.test(text) ? undefined : unreadable("boolean", text, "ParseBool")),
  array: (text) => {
    const read = yamlOf(text);
    return read !== undefined && (read.value === null || Array.isArray(read.value))
      ? undefined
      : `type is "array", but format of ${text} is invalid`;
  },
  map: (text) => {
    const read = yamlOf(text);
    const isMap = read !== undefined && typeof read.value === "object" && !Array.isArray(read.value);
    return isMap ? undefined : `type is "map", but format of ${text} is invalid`;
  },
};
const TYPES: ReadonlyMap<string, (text: string) => string | undefined> = new Map(Object.entries(FAULTS));

/** The fault of a text as a value of that type, in words; an unknown type finds none. */
export const typeFault = (type: ValueType | undefined, text: string): string | undefined =>
  TYPES.get(type ?? "string")?.(text);

const enumFault = (allowed: readonly string[] | undefined, text: string): string | undefined =>
  allowed === undefined || allowed.includes(text)
    ? undefined
    : `value is ${quoted(text)}, but only allowed values are ${listed(allowed)}`;

/** The fault of a parameter's value, in words. An empty one is none where it need not be given. */
export function valueFault(parameter: Named, value: string): string | undefined {
  if (value === "")
    return parameter.required === true && parameter.default === undefined
      ? `parameter ${quoted(parameter.name)} is required but has no value set`
      : undefined;
  const fault = typeFault(parameter["value-type"], value) ?? enumFault(parameter.enum, value);
  return fault === undefined
    ? undefined
    : `parameter ${quoted(parameter.name)} has an invalid value ${quoted(value)}: ${fault}`;
}

/** The fault of a parameter's default, in words. */
export function defaultFault(parameter: Named): string | undefined {
  const text = parameter.default;
  if (text === undefined) return undefined;
  const fault =
    (text === "" ? undefined : typeFault(parameter["value-type"], text)) ?? enumFault(parameter.enum, text);
  return fault && `parameter ${quoted(parameter.name)} has an invalid default value: ${fault}`;
}

/** The first fault of the values that an Instance gives to a version, in words. */
export function valuesFault(definition: Definition, values: Values | undefined): string | undefined {
  for (const parameter of parametersOf(definition).values()) {
    const fault = valueFault(parameter, valueIn(values, parameter.name) ?? "");
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A value as templates see it: lists and maps are read, all others are texts. Undefined: the text is no value of its type. */
export function templateValue(
  type: ValueType | undefined,
  text: string,
): { readonly value: unknown } | undefined {
  if (type !== "array" && type !== "map") return { value: text };
  return typeFault(type, text) === undefined ? yamlOf(text) : undefined;
}
