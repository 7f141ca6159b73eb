import { isUtf8 } from "node:buffer";

// Go's strings are bytes: `len`, `trunc`, `substr`, `index` and the order of keys count them. So templates work on strings in which
// each character is one byte (0 to 255); text is put into that form where it comes in and taken out of it where it leaves.

/** The character that stands for bytes that are no UTF-8. */
export const REPLACEMENT = 0xfffd;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are all characters that take one byte.
const ASCII = /^[\x00-\x7f]*$/;

/** True where each byte is a character of its own. */
export const isAscii = (text: string): boolean => ASCII.test(text);

/** The UTF-8 bytes of a text, one character each. */
export const bytesOf = (text: string): string =>
  isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");

/** The text of bytes; each byte that is no UTF-8 becomes U+FFFD. */
export function textOf(bytes: string): string {
  if (isAscii(bytes)) return bytes;
  const buffer = Buffer.from(bytes, "latin1");
  if (isUtf8(buffer)) return buffer.toString("utf8");
  let text = "";
  for (const rune of runesOf(bytes)) text += String.fromCodePoint(rune);
  return text;
}

const isContinuation = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf;

/** A character, and the number of bytes that it takes: U+FFFD and 1 where they are no UTF-8. */
export interface Rune {
  readonly rune: number;
  readonly size: number;
}
const BROKEN: Rune = { rune: REPLACEMENT, size: 1 };

/** The character that begins at a byte. */
export function runeAt(bytes: string, at: number): Rune {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return { rune: first, size: 1 };
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > bytes.length) return BROKEN;
  let rune = first & (0x7f >> size);
  for (let index = 1; index < size; index += 1) {
    const byte = bytes.charCodeAt(at + index);
    if (!isContinuation(byte)) return BROKEN;
    rune = (rune << 6) | (byte & 0x3f);
  }
  const tooLong = (size === 3 && rune < 0x800) || (size === 4 && (rune < 0x10000 || rune > 0x10ffff));
  return tooLong || (rune >= 0xd800 && rune <= 0xdfff) ? BROKEN : { rune, size };
}

/** The characters of a string. */
export function runesOf(bytes: string): readonly number[] {
  const runes: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { rune, size } = runeAt(bytes, at);
    runes.push(rune);
    at += size;
  }
  return runes;
}

/** The number of characters. */
export const runeCount = (bytes: string): number => (isAscii(bytes) ? bytes.length : runesOf(bytes).length);

/** The bytes of one character; those of U+FFFD where there is no such character. */
export function bytesOfRune(rune: number): string {
  const valid = rune >= 0 && rune <= 0x10ffff && !(rune >= 0xd800 && rune <= 0xdfff);
  return bytesOf(String.fromCodePoint(valid ? rune : REPLACEMENT));
}

const PRINTABLE = /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
/** True where a character is seen when it is printed; of white space, only the blank. */
export const isPrintable = (rune: number): boolean =>
  rune < 0x7f ? rune >= 0x20 : PRINTABLE.test(String.fromCodePoint(rune));

const WORD = /^[\p{L}\p{Nd}_]$/u;
/** True for letters, digits and the underscore. */
export function isWordRune(rune: number): boolean {
  if (rune < 0x80)
    return (
      (rune >= 0x61 && rune <= 0x7a) ||
      (rune >= 0x41 && rune <= 0x5a) ||
      (rune >= 0x30 && rune <= 0x39) ||
      rune === 0x5f
    );
  return WORD.test(String.fromCodePoint(rune));
}
