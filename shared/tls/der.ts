/** DER (ITU-T X.690), as far as an X.509 certificate needs it: each function gives one encoded value. */
const tag = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
};

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** Any value under a tag of one byte. */
export const tagged = (number: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([number]), lengthOf(body.length), body]);
};

/** `[number]`, constructed. */
export const explicit = (number: number, ...content: readonly Uint8Array[]): Buffer =>
  tagged(0xa0 | number, ...content);

/** `[number]`, primitive. */
export const implicit = (number: number, content: Uint8Array): Buffer => tagged(0x80 | number, content);

export const sequence = (...content: readonly Uint8Array[]): Buffer => tagged(tag.sequence, ...content);
export const setOf = (...content: readonly Uint8Array[]): Buffer => tagged(tag.set, ...content);
export const octets = (content: Uint8Array): Buffer => tagged(tag.octets, content);
export const utf8 = (text: string): Buffer => tagged(tag.utf8, Buffer.from(text, "utf8"));
/** The value of nothing, which some algorithms have for parameters. */
export const nothing = (): Buffer => Buffer.from([0x05, 0x00]);
export const boolean = (value: boolean): Buffer => tagged(tag.boolean, Buffer.from([value ? 0xff : 0]));

/** An unsigned integer from its bytes, most significant first. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const short = bytes.subarray(start);
  return tagged(tag.integer, (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short);
}

/** `unused` bits at the end of the last byte do not count. */
export const bits = (content: Uint8Array, unused = 0): Buffer =>
  tagged(tag.bits, Buffer.from([unused]), content);

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const septets = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      septets.unshift(0x80 | (left % 128));
    bytes.push(...septets);
  }
  return tagged(tag.oid, Buffer.from(bytes));
}

/** UTCTime before 2050, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
export function time(milliseconds: number): Buffer {
  const date = new Date(milliseconds);
  const digits = `${date.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`;
  return date.getUTCFullYear() < 2050
    ? tagged(tag.utcTime, Buffer.from(digits.slice(2), "latin1"))
    : tagged(tag.time, Buffer.from(digits, "latin1"));
}
