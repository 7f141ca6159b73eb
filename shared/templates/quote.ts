import { bytesOfRune, isPrintable, REPLACEMENT, runeAt } from "./bytes.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** One character of a literal: its bytes, its number, and where the next begins. */
interface Unquoted {
  readonly bytes: string;
  readonly rune: number;
  readonly next: number;
}

/** The escape after a backslash; undefined where there is none such. */
function escapeAt(text: string, at: number, quote: string): Unquoted | undefined {
  const letter = text[at + 1] ?? "";
  if ((letter === "'" || letter === '"') && letter !== quote) return undefined;
  const plain = ESCAPES[letter];
  if (plain !== undefined) return { bytes: plain, rune: plain.charCodeAt(0), next: at + 2 };
  const digits = HEX_DIGITS[letter];
  if (digits !== undefined) {
    const hex = text.slice(at + 2, at + 2 + digits);
    if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined;
    const rune = Number.parseInt(hex, 16);
    const next = at + 2 + digits;
    if (letter === "x") return { bytes: String.fromCharCode(rune), rune, next };
    return rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff)
      ? undefined
      : { bytes: bytesOfRune(rune), rune, next };
  }
  const octal = text.slice(at + 1, at + 4);
  if (!/^[0-7]{3}$/.test(octal)) return undefined;
  const rune = Number.parseInt(octal, 8);
  return rune > 255 ? undefined : { bytes: String.fromCharCode(rune), rune, next: at + 4 };
}

function characterAt(text: string, at: number, quote: string): Unquoted | undefined {
  if (text[at] === quote) return undefined;
  if (text[at] === "\\") return escapeAt(text, at, quote);
  const { rune, size } = runeAt(text, at);
  return { bytes: text.slice(at, at + size), rune, next: at + size };
}

/** The value of a Go string literal in quotes or back-quotes; undefined where it is none. */
export function unquote(literal: string): string | undefined {
  const inner = literal.slice(1, -1);
  if (literal.startsWith("`")) return inner.replaceAll("\r", "");
  if (inner.includes("\n")) return undefined;
  if (!inner.includes("\\")) return inner.includes('"') ? undefined : inner;
  let text = "";
  for (let at = 0; at < inner.length; ) {
    const character = characterAt(inner, at, '"');
    if (character === undefined) return undefined;
    text += character.bytes;
    at = character.next;
  }
  return text;
}

/** The number of the character in a literal like `'a'`; undefined where it is none. */
export function unquoteCharacter(literal: string): number | undefined {
  const character = characterAt(literal, 1, "'");
  return character !== undefined && literal.slice(character.next) === "'" ? character.rune : undefined;
}

const SHORT: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  92: "\\\\",
};
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

function escaped(rune: number, quote: string, asciiOnly: boolean): string {
  if (rune < 0x80 && String.fromCharCode(rune) === quote) return `\\${quote}`;
  const short = SHORT[rune];
  if (short !== undefined) return short;
  if (isPrintable(rune) && (rune < 0x80 || !asciiOnly)) return bytesOfRune(rune);
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

/** A Go string literal of these bytes (`%q`); with `asciiOnly`, all other characters escaped (`%+q`). */
export function quote(bytes: string, asciiOnly = false): string {
  let text = '"';
  for (let at = 0; at < bytes.length; ) {
    const { rune, size } = runeAt(bytes, at);
    text +=
      rune === REPLACEMENT && size === 1
        ? `\\x${hex(bytes.charCodeAt(at), 2)}`
        : escaped(rune, '"', asciiOnly);
    at += size;
  }
  return `${text}"`;
}

/** A Go character literal (`%q` of an integer). */
export const quoteRune = (rune: number, asciiOnly = false): string => `'${escaped(rune, "'", asciiOnly)}'`;
