import { WireError, type WireField } from "./wire.ts";

/** Turns one value of a field into JSON; undefined = leave the field out. */
export type Decode = (value: WireField["value"], depth: number) => unknown;

/** The bytes of a value. Throws a `WireError` where it is a number. */
export const bytesOf = (value: WireField["value"]): Uint8Array => {
  if (typeof value === "bigint") throw new WireError("a number stands where bytes are expected");
  return value;
};
const numberOf = (value: WireField["value"]): bigint => {
  if (typeof value !== "bigint") throw new WireError("bytes stand where a number is expected");
  return value;
};
const float = (value: WireField["value"]): number => {
  const bytes = bytesOf(value);
  if (bytes.length !== 8) throw new WireError("a float has eight bytes");
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
};

const utf8 = new TextDecoder("utf-8", { fatal: true });
const text: Decode = (value) => {
  try {
    return utf8.decode(bytesOf(value));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new WireError("a text is not UTF-8", { cause: error });
  }
};

const base64: Decode = (value) => Buffer.from(bytesOf(value)).toString("base64");
const flag: Decode = (value) => numberOf(value) !== 0n;
const integer: Decode = (value) => Number(numberOf(value));

interface Scalar {
  readonly decode: Decode;
  readonly zero: unknown;
}
/** The letters of a table → how a value is read, and its zero. */
export const scalars: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["s", { decode: text, zero: "" }],
  ["x", { decode: base64, zero: "" }],
  ["b", { decode: flag, zero: false }],
  ["i", { decode: integer, zero: 0 }],
  ["d", { decode: float, zero: 0 }],
]);
