import { bytesOfRune, runeAt } from "../bytes.ts";
import { FunctionFault } from "../errors.ts";
import type { Call, Functions } from "../function.ts";
import { defaultForm } from "../print.ts";
import { quote } from "../quote.ts";
import { Dict, type Int, List, type Value } from "../values.ts";
import {
  isSpace,
  lower,
  pascalCase,
  swapCase,
  title,
  trimRunes,
  trimSpace,
  untitle,
  upper,
} from "./casing.ts";
import { count, fixed, onText, textFrom, textList, textsOf, variadic } from "./define.ts";
import { connected } from "./words.ts";

/** Text that is not nil, each written by `write`, with spaces between. */
const spaced = (values: readonly Value[], write: (value: Value) => string): string =>
  values
    .filter((value) => value !== undefined && value !== null)
    .map(write)
    .join(" ");

function repeat(text: string, times: number, { budget }: Call): string {
  budget.bytes(text.length * times);
  return text.repeat(times);
}

function indent(spaces: Int, text: string, call: Call): string {
  const pad = repeat(" ", count(spaces), call);
  return replaced(text, "\n", `\n${pad}`, call, pad);
}

/** Every occurrence replaced; nothing is found between all characters. */
function replaced(text: string, from: string, to: string, { budget }: Call, before = ""): string {
  const parts = from === "" ? ["", ...charactersOf(text), ""] : text.split(from);
  budget.bytes(before.length + (parts.length - 1) * to.length);
  budget.step(Math.ceil(parts.length / 8));
  if (from !== "") return before + parts.join(to);
  // The first part is what stands before the first character.
  return before + (text === "" ? to : parts.join(to));
}

/** The characters of a text; a broken byte is one. */
function charactersOf(text: string): readonly string[] {
  const characters: string[] = [];
  for (let at = 0; at < text.length; ) {
    const { size } = runeAt(text, at);
    characters.push(text.slice(at, at + size));
    at += size;
  }
  return characters;
}

/** Go's `strings.SplitN`: at most so many parts, all where the number is below zero. */
function splitN(text: string, separator: string, most: number): readonly string[] {
  if (most === 0) return [];
  const parts = separator === "" ? charactersOf(text) : text.split(separator);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function numbered(parts: readonly string[], { budget }: Call): Dict {
  budget.items(parts.length);
  return new Dict(
    parts.map((part, index) => [`_${index}`, part]),
    "string",
  );
}

/** Bytes from one place up to another. @throws FunctionFault */
function bytesBetween(text: string, from: number, to: number): string {
  if (from < 0 || to > text.length || from > to)
    throw new FunctionFault(
      `runtime error: slice bounds out of range [${from}:${to}] with length ${text.length}`,
    );
  return text.slice(from, to);
}

function substring(from: number, to: number, text: string): string {
  if (from < 0) return bytesBetween(text, 0, to);
  return bytesBetween(text, from, to < 0 || to > text.length ? text.length : to);
}

function truncated(length: number, text: string): string {
  if (length < 0) return text.length + length > 0 ? text.slice(length) : text;
  return text.slice(0, length);
}

/** Text of at most so many bytes, dots where it was cut. */
function abbreviated(text: string, offset: number, width: number): string {
  if (text === "" || width < 4) return "";
  if (text.length <= width) return text;
  const place = Math.min(offset, text.length);
  const from = text.length - place < width - 3 ? text.length - (width - 3) : place;
  if (from <= 4) return `${text.slice(0, width - 3)}...`;
  if (width < 7) return "";
  if (from + width - 3 < text.length) return `...${abbreviated(text.slice(from), 0, width - 3)}`;
  return `...${text.slice(text.length - (width - 3))}`;
}

/** Lines of so many bytes, broken at blanks. */
function wrapped(
  text: string,
  width: number,
  separator: string,
  breaksWords: boolean,
  { budget }: Call,
): string {
  const length = Math.max(1, width);
  budget.bytes(Math.ceil(text.length / length) * separator.length);
  const lines: string[] = [];
  let at = 0;
  while (text.length - at > length) {
    if (text[at] === " ") {
      at += 1;
      continue;
    }
    const blank = text.slice(at, at + length + 1).lastIndexOf(" ");
    if (blank >= 0) {
      lines.push(text.slice(at, at + blank));
      at += blank + 1;
    } else if (breaksWords) {
      lines.push(text.slice(at, at + length));
      at += length;
    } else {
      const next = text.indexOf(" ", at + length);
      if (next < 0) return [...lines, text.slice(at)].join(separator);
      lines.push(text.slice(at, next));
      at = next + 1;
    }
  }
  return [...lines, text.slice(at)].join(separator);
}

/** Bytes taken for characters, as sprig's `nospace` and `initials` do. */
const byteRunes = (text: string): readonly number[] => [...text].map((byte) => byte.charCodeAt(0));

function withoutSpaces(text: string): string {
  const runes = byteRunes(text).filter((rune) => !isSpace(rune));
  return runes.length === text.length ? text : runes.map(bytesOfRune).join("");
}

function initials(text: string): string {
  let atHead = true;
  let found = "";
  for (const rune of byteRunes(text)) {
    const space = isSpace(rune);
    if (!space && atHead) found += bytesOfRune(rune);
    atHead = space;
  }
  return found;
}

const number = ({ value }: Int): number => Number(value);
const trimmedOf = fixed(["string", "string"], ([set, text]) => {
  const characters = new Set(charactersOf(set));
  return trimRunes(text, (rune) => characters.has(bytesOfRune(rune)));
});

/** Functions on text. */
export const strings: Functions = {
  upper: onText(upper),
  lower: onText(lower),
  title: onText(title),
  untitle: onText(untitle),
  swapcase: onText(swapCase),
  snakecase: onText((text) => connected(text, "_")),
  kebabcase: onText((text) => connected(text, "-")),
  camelcase: onText(pascalCase),
  trim: onText(trimSpace),
  trimAll: trimmedOf,
  trimall: trimmedOf,
  trimPrefix: fixed(["string", "string"], ([prefix, text]) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  trimSuffix: fixed(["string", "string"], ([suffix, text]) =>
    text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text,
  ),
  nospace: onText(withoutSpaces),
  initials: onText(initials),
  trunc: fixed(["int", "string"], ([length, text]) => truncated(number(length), text)),
  substr: fixed(["int", "int", "string"], ([from, to, text]) => substring(number(from), number(to), text)),
  repeat: fixed(["int", "string"], ([times, text], call) => repeat(text, count(times), call)),
  abbrev: fixed(["int", "string"], ([width, text]) =>
    number(width) < 4 ? text : abbreviated(text, 0, number(width)),
  ),
  abbrevboth: fixed(["int", "int", "string"], ([left, right, text]) =>
    number(right) < 4 || (number(left) > 0 && number(right) < 7)
      ? text
      : abbreviated(text, number(left), number(right)),
  ),
  wrap: fixed(["int", "string"], ([width, text], call) => wrapped(text, number(width), "\n", false, call)),
  wrapWith: fixed(["int", "string", "string"], ([width, separator, text], call) =>
    wrapped(text, number(width), separator === "" ? "\n" : separator, true, call),
  ),
  contains: fixed(["string", "string"], ([part, text]) => text.includes(part)),
  hasPrefix: fixed(["string", "string"], ([prefix, text]) => text.startsWith(prefix)),
  hasSuffix: fixed(["string", "string"], ([suffix, text]) => text.endsWith(suffix)),
  quote: variadic([], "interface {}", (values, call) =>
    spaced(values, (value) => quote(textFrom(value, call))),
  ),
  squote: variadic([], "interface {}", (values, { budget }) =>
    spaced(values, (value) => `'${defaultForm(value, budget)}'`),
  ),
  cat: variadic([], "interface {}", (values, { budget }) =>
    spaced(values, (value) => defaultForm(value, budget)),
  ),
  indent: fixed(["int", "string"], ([spaces, text], call) => indent(spaces, text, call)),
  nindent: fixed(["int", "string"], ([spaces, text], call) => `\n${indent(spaces, text, call)}`),
  replace: fixed(["string", "string", "string"], ([from, to, text], call) => replaced(text, from, to, call)),
  plural: fixed(["string", "string", "int"], ([one, many, { value }]) => (value === 1n ? one : many)),
  toString: fixed(["interface {}"], ([value], call) => textFrom(value, call)),
  toStrings: fixed(["interface {}"], ([value], call) => {
    if (value instanceof List && value.of === "string") return value;
    const texts = textsOf(value, call);
    // Go sets a place aside for each item, also for those that are nil.
    return new List(texts, "string", false, value instanceof List ? value.items.length - texts.length : 0);
  }),
  join: fixed(["string", "interface {}"], ([separator, value], call) => {
    const texts = textsOf(value, call);
    call.budget.bytes(texts.length * separator.length);
    return texts.join(separator);
  }),
  split: fixed(["string", "string"], ([separator, text], call) =>
    numbered(splitN(text, separator, -1), call),
  ),
  splitn: fixed(["string", "int", "string"], ([separator, most, text], call) =>
    numbered(splitN(text, separator, number(most)), call),
  ),
  splitList: fixed(["string", "string"], ([separator, text], { budget }) => {
    const parts = splitN(text, separator, -1);
    budget.items(parts.length);
    return textList(parts);
  }),
  hello: fixed([], () => "Hello!"),
  fail: fixed(["string"], ([message]) => {
    throw new FunctionFault(message);
  }),
};
