import { type Fields, fieldsOf, isRecord, listOf, textOf } from "../../../../shared/json/fields.ts";
import { without } from "./move.ts";

const PRESERVES = "x-kubernetes-preserve-unknown-fields";
const NUMBER_OR_TEXT = "x-kubernetes-int-or-string";

const isEitherNumberOrText = ({ type, anyOf, oneOf }: Fields): boolean => {
  const types = listOf(anyOf ?? oneOf).map((one) => textOf(fieldsOf(one).type));
  return type === undefined && types.toSorted().join() === "integer,string";
};

/** The type of a part that names none: that of what it holds. */
function typeOf({ type, properties, additionalProperties, items }: Fields): unknown {
  if (type !== undefined) return type;
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

/**
 * A schema whose every part has a type, as definitions must have today.
 * @param keeps whether fields that it does not name are kept, as they were unless the definition said otherwise
 */
export function structural(schema: unknown, keeps: boolean): Fields {
  const said = fieldsOf(schema);
  if (isEitherNumberOrText(said)) return { ...without(said, "anyOf", "oneOf"), [NUMBER_OR_TEXT]: true };
  const { properties, additionalProperties, items } = said;
  const type = said[NUMBER_OR_TEXT] === true ? undefined : typeOf(said);
  const isOpen = type === undefined && said[NUMBER_OR_TEXT] !== true;
  const holdsAnything = type === "object" && additionalProperties === undefined && keeps;
  return {
    ...said,
    ...(type !== undefined && { type }),
    ...((isOpen || holdsAnything) && { [PRESERVES]: true }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, structural(part, keeps)]),
      ),
    }),
    ...(isRecord(additionalProperties) && { additionalProperties: structural(additionalProperties, keeps) }),
    ...(isRecord(items) && { items: structural(items, keeps) }),
  };
}

/** The schema of a whole object. The server knows its metadata, and allows no word about them. */
export function structuralRoot(schema: unknown, keeps: boolean): Fields {
  const root = structural({ ...fieldsOf(schema), type: "object" }, keeps);
  const { properties } = root;
  return isRecord(properties) && isRecord(properties.metadata)
    ? { ...root, properties: { ...properties, metadata: { type: "object" } } }
    : root;
}
