import { isObject, type JsonObject, setOwn } from "../../json.ts";
import { readFields, WireError, type WireField } from "./wire.ts";

/** Turns one value of a field into JSON; undefined = leave the field out. */
export type Decode = (value: WireField["value"]) => unknown;

/** A field of a message: its name in JSON, how its value is read, and whether it comes more than once. */
export interface Field {
  readonly name: string;
  readonly decode: Decode;
  readonly many?: "list" | "map" | "inline";
}
/** Field numbers of a message. */
export type Message = Readonly<Record<number, Field>>;

const bytesOf = (value: WireField["value"]): Uint8Array => {
  if (typeof value === "bigint") throw new WireError("a number stands where bytes are expected");
  return value;
};
const numberOf = (value: WireField["value"]): bigint => {
  if (typeof value !== "bigint") throw new WireError("bytes stand where a number is expected");
  return value;
};

const utf8 = new TextDecoder("utf-8", { fatal: true });
export const text: Decode = (value) => utf8.decode(bytesOf(value));
export const base64: Decode = (value) => Buffer.from(bytesOf(value)).toString("base64");
export const integer: Decode = (value) => Number(numberOf(value));
export const flag: Decode = (value) => numberOf(value) !== 0n;

/** Reads a message by its table. A field that the table lacks is an error: half an object must not be stored. */
export function decodeMessage(bytes: Uint8Array, message: Message): JsonObject {
  const object: JsonObject = {};
  for (const { number, value } of readFields(bytes)) {
    const field = message[number];
    if (field === undefined) throw new WireError(`field ${number} is not known`);
    const decoded = field.decode(value);
    if (decoded === undefined) continue;
    if (field.many === "inline") Object.assign(object, decoded);
    else if (field.many === "list") {
      const list = object[field.name];
      object[field.name] = [...(Array.isArray(list) ? list : []), decoded];
    } else if (field.many === "map" && isObject(decoded)) {
      const map = isObject(object[field.name]) ? (object[field.name] as JsonObject) : {};
      setOwn(map, String(decoded.key ?? ""), decoded.value);
      object[field.name] = map;
    } else object[field.name] = decoded;
  }
  return object;
}

const of =
  (message: Message): Decode =>
  (value) =>
    decodeMessage(bytesOf(value), message);

export const one = (name: string, decode: Decode | Message): Field => ({
  name,
  decode: typeof decode === "function" ? decode : of(decode),
});
export const list = (name: string, decode: Decode | Message): Field => ({
  ...one(name, decode),
  many: "list",
});
/** The fields of an embedded Go struct stand beside those of its holder. */
export const inline = (message: Message): Field => ({ name: "", decode: of(message), many: "inline" });

/** A map of texts to values: on the wire a list of entries. An empty value is left out there. */
export const map = (name: string, decode: Decode | Message, empty: unknown = ""): Field => ({
  name,
  many: "map",
  decode: (value) => ({
    value: empty,
    ...decodeMessage(bytesOf(value), { 1: one("key", text), 2: one("value", decode) }),
  }),
});

/** Seconds and nanoseconds; an empty message is a time that is not set. */
const timeMessage: Message = { 1: one("seconds", integer), 2: one("nanos", integer) };
export const time: Decode = (value) => {
  const { seconds } = decodeMessage(bytesOf(value), timeMessage);
  return typeof seconds === "number"
    ? new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z")
    : undefined;
};

export const quantity: Decode = (value) =>
  decodeMessage(bytesOf(value), { 1: one("text", text) }).text ?? "0";

const intOrStringMessage: Message = {
  1: one("kind", integer),
  2: one("number", integer),
  3: one("text", text),
};
export const intOrString: Decode = (value) => {
  const { kind, number, text: spelled } = decodeMessage(bytesOf(value), intOrStringMessage);
  return kind === 1 ? (spelled ?? "") : (number ?? 0);
};
