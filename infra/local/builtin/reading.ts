import { isObject, type JsonObject } from "../json.ts";

/** The value there if it is an object, else an empty one that is not attached: for reading. */
export const objectAt = (object: JsonObject, name: string): JsonObject => {
  const found = object[name];
  return isObject(found) ? found : {};
};

/** The value there if it is an object; a new one is put there where nothing stands. For filling in defaults. */
export const objectIn = (object: JsonObject, name: string): JsonObject => {
  if (object[name] === undefined || object[name] === null) object[name] = {};
  return objectAt(object, name);
};

/** The objects of a list; what is no object is skipped, for the schema reports it. */
export const objectsAt = (object: JsonObject, name: string): readonly JsonObject[] => {
  const found = object[name];
  return Array.isArray(found) ? found.filter(isObject) : [];
};

export const textAt = (object: JsonObject, name: string): string => {
  const found = object[name];
  return typeof found === "string" ? found : "";
};

export const numberAt = (object: JsonObject, name: string): number | undefined => {
  const found = object[name];
  return typeof found === "number" ? found : undefined;
};

/** A map of texts; what is no text is skipped. */
export const textsAt = (object: JsonObject, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectAt(object, name)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

/** Fills in what is absent or empty. Values are written once each, so they may be objects. */
export function fillIn(object: JsonObject, defaults: JsonObject): void {
  for (const [name, standard] of Object.entries(defaults))
    if (object[name] === undefined || object[name] === null || object[name] === "") object[name] = standard;
}
