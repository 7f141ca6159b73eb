/** A value that JSON has no word for: an infinity or NaN. */
export class NoJsonError extends Error {}

/** Beyond these, YAML's integers are read as floating point, as the Go library does that the golden hashes come from. */
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

function numberText(value: number | bigint): string {
  if (typeof value === "bigint" && value >= INT64_MIN && value <= UINT64_MAX) return value.toString();
  const float = Number(value);
  if (!Number.isFinite(float)) throw new NoJsonError(`${float} has no form in JSON`);
  return Object.is(float, -0) ? "-0" : String(float);
}

// Go's encoder escapes what could end a script element or a line of JavaScript.
const ESCAPED = /[<>&\u2028\u2029]/g;
function stringText(text: string): string {
  if (!text.isWellFormed()) throw new NoJsonError("half a character (a lone surrogate) has no form in JSON");
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Byte order of UTF-8, which differs from that of UTF-16 beyond the basic plane. */
export const byBytes = (one: string, other: string): number =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  /^[\x00-\x7f]*$/.test(one + other)
    ? one < other
      ? -1
      : Number(one > other)
    : Buffer.compare(Buffer.from(one), Buffer.from(other));

/**
 * Compact JSON with sorted keys, byte for byte as Go writes a YAML document: a payload's hash is made of it. Big integers keep
 * all of their digits.
 * @throws NoJsonError
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value === "number" || typeof value === "bigint") return numberText(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .sort(([one], [other]) => byBytes(one, other))
      .map(([key, member]) => `${stringText(key)}:${canonicalJson(member)}`)
      .join(",")}}`;
  return "null";
}
