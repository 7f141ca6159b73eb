import { bytesOf, bytesOfRune, isAscii, runeAt, runesOf, textOf } from "../bytes.ts";

const UPPER = /^\p{Lu}$/u;
const LOWER = /^\p{Ll}$/u;
const TITLE = /^\p{Lt}$/u;
const PUNCTUATION = /^\p{P}$/u;
const NUMBER = /^\p{N}$/u;
const LETTER = /^\p{L}$/u;
const SPACE = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;
const character = (rune: number): string => String.fromCodePoint(rune);

export const isSpace = (rune: number): boolean => SPACE.test(character(rune));
export const isUpper = (rune: number): boolean => UPPER.test(character(rune));
export const isLower = (rune: number): boolean => LOWER.test(character(rune));
export const isTitle = (rune: number): boolean => TITLE.test(character(rune));
export const isPunctuation = (rune: number): boolean => PUNCTUATION.test(character(rune));
export const isNumber = (rune: number): boolean => NUMBER.test(character(rune));
export const isLetter = (rune: number): boolean => LETTER.test(character(rune));

/** One character for one: where JavaScript would write two, Go keeps the one. */
function single(from: number, to: string): number {
  const rune = to.codePointAt(0) ?? from;
  return [...to].length === 1 ? rune : from;
}
export const upperRune = (rune: number): number => single(rune, character(rune).toUpperCase());
export const lowerRune = (rune: number): number =>
  rune === 0x130 ? 0x69 : single(rune, character(rune).toLowerCase());
/** Latin letters of two signs: each has a form of its own at the head of a word. */
const DIGRAPHS = [0x1c4, 0x1c7, 0x1ca, 0x1f1];
export function titleRune(rune: number): number {
  const capital = DIGRAPHS.find((first) => rune >= first && rune <= first + 2);
  return capital === undefined ? upperRune(rune) : capital + 1;
}

/** Each character changed by itself. */
export const mapRunes = (bytes: string, change: (rune: number, index: number) => number): string =>
  runesOf(bytes)
    .map((rune, index) => bytesOfRune(change(rune, index)))
    .join("");

export const upper = (bytes: string): string =>
  isAscii(bytes) ? bytes.toUpperCase() : mapRunes(bytes, upperRune);
export const lower = (bytes: string): string =>
  isAscii(bytes) ? bytes.toLowerCase() : mapRunes(bytes, lowerRune);

/** The rest of bytes from which characters of a set are taken at both ends. */
export function trimRunes(bytes: string, isTrimmed: (rune: number) => boolean): string {
  let from = 0;
  while (from < bytes.length) {
    const { rune, size } = runeAt(bytes, from);
    if (!isTrimmed(rune)) break;
    from += size;
  }
  const runes = runesOf(bytes.slice(from));
  let to = bytes.length;
  for (let index = runes.length - 1; index >= 0; index -= 1) {
    const rune = runes[index] ?? 0;
    if (!isTrimmed(rune)) break;
    const size = bytesOfRune(rune).length;
    // A broken byte is one byte, though it is shown as three.
    to -=
      runeAt(bytes, to - size).rune === rune && bytes.slice(to - size, to) === bytesOfRune(rune) ? size : 1;
  }
  return bytes.slice(from, to);
}

/** Text without white space at its ends. */
export const trimSpace = (bytes: string): string =>
  isAscii(bytes)
    ? bytes.replace(/^[\t\n\v\f\r ]+/, "").replace(/[\t\n\v\f\r ]+$/, "")
    : trimRunes(bytes, isSpace);

/** Go's `strings.Title`: the first letter of each word in capitals. */
export function title(bytes: string): string {
  let before = 0x20;
  return mapRunes(bytes, (rune) => {
    const begins = separates(before);
    before = rune;
    return begins ? titleRune(rune) : rune;
  });
}
function separates(rune: number): boolean {
  if (rune < 0x80) return !/[A-Za-z0-9_]/.test(character(rune));
  return !/^[\p{L}\p{Nd}]$/u.test(character(rune)) && isSpace(rune);
}

/** Each letter in the other case; the first of a word as at the head of one. */
export function swapCase(bytes: string): string {
  let atHead = true;
  return mapRunes(bytes, (rune) => {
    if (isUpper(rune) || isTitle(rune)) {
      atHead = false;
      return lowerRune(rune);
    }
    if (isLower(rune)) {
      const swapped = atHead ? titleRune(rune) : upperRune(rune);
      atHead = false;
      return swapped;
    }
    atHead = isSpace(rune);
    return rune;
  });
}

/** The first letter of each word in small letters. */
export function untitle(bytes: string): string {
  let atHead = true;
  return mapRunes(bytes, (rune) => {
    if (isSpace(rune)) {
      atHead = true;
      return rune;
    }
    const changed = atHead ? lowerRune(rune) : rune;
    atHead = false;
    return changed;
  });
}

const isConnector = (rune: number): boolean => rune === 0x2d || rune === 0x5f || isSpace(rune);

/** `some_name` as `SomeName`. Connectors at the beginning stay, and all but one where several meet. */
export function pascalCase(bytes: string): string {
  const runes = runesOf(bytes);
  const start = runes.findIndex((rune) => !isConnector(rune));
  if (start < 0) {
    // Nothing but connectors: Go writes the last one twice.
    const last = runes.at(-1);
    return last === undefined ? "" : bytes + bytesOfRune(last);
  }
  const head = runes.slice(0, start);
  const first = runes[start] ?? 0;
  let wasUpper = isUpper(first);
  let current = upperRune(first);
  const out: number[] = [...head];
  for (const rune of runes.slice(start + 1)) {
    const before = current;
    current = rune;
    if (isConnector(current) && isConnector(before)) {
      out.push(before);
      continue;
    }
    if (isConnector(before)) {
      wasUpper = isUpper(current);
      current = upperRune(current);
      continue;
    }
    if (wasUpper) {
      if (isUpper(current)) current = lowerRune(current);
      else wasUpper = false;
    }
    out.push(before);
  }
  return [...out, current].map(bytesOfRune).join("");
}

/** The bytes with each character in the form that text functions of JavaScript can take. */
export const throughText = (bytes: string, change: (text: string) => string): string =>
  bytesOf(change(textOf(bytes)));
