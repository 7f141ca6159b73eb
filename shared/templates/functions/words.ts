import { bytesOfRune, REPLACEMENT, runeAt } from "../bytes.ts";
import { isLetter, isNumber, isPunctuation, isSpace, isUpper, lowerRune } from "./casing.ts";

type Sort = "none" | "number" | "upper" | "letters" | "connector" | "punctuation" | "other";
/** A part of a name, and what comes after it. */
interface Word {
  readonly sort: Sort;
  readonly word: string;
  readonly rest: string;
}

const isConnector = (rune: number): boolean => rune === 0x2d || rune === 0x5f || isSpace(rune);
/** Letters, but for the commonest ideographs, which are words by themselves. */
const isAlphabet = (rune: number): boolean =>
  isLetter(rune) &&
  !(rune >= 0x4e00 && rune <= 0x9fcc) &&
  !(rune >= 0x3400 && rune <= 0x4d85) &&
  !(rune >= 0x20000 && rune <= 0x2b81d);

/** The next character that is one; broken bytes before it belong to it. */
function validRune(text: string, otherwise: number): { readonly rune: number; readonly size: number } {
  let size = 0;
  while (size < text.length) {
    const next = runeAt(text, size);
    size += next.size;
    if (next.rune !== REPLACEMENT) return { rune: next.rune, size };
  }
  return { rune: otherwise, size };
}

/** The length of the characters from a place on that belong to a word. */
function run(text: string, from: number, first: number, belongs: (rune: number) => boolean): number {
  let at = from;
  let before = first;
  while (at < text.length) {
    const { rune, size } = validRune(text.slice(at, at + 64), before);
    before = rune;
    if (!belongs(rune)) break;
    at += size;
  }
  return at;
}

const smallLetters = (rune: number): boolean => isAlphabet(rune) && !isUpper(rune);

function upperWord(text: string, size: number, first: number): number {
  if (size >= text.length) return size;
  const second = validRune(text.slice(size), first);
  if (!isUpper(second.rune)) {
    return isAlphabet(second.rune) ? run(text, size + second.size, second.rune, smallLetters) : size;
  }
  let at = size + second.size;
  let last = second.size;
  let rune = second.rune;
  while (at < text.length) {
    const next = validRune(text.slice(at, at + 64), rune);
    rune = next.rune;
    if (!isUpper(rune)) break;
    last = next.size;
    at += next.size;
  }
  // The last capital of several begins the next word: HTTPServer is HTTP and Server.
  return at < text.length && isAlphabet(rune) ? at - last : at;
}

function nextWord(text: string): Word {
  if (text === "") return { sort: "none", word: "", rest: "" };
  const { rune, size } = validRune(text, REPLACEMENT);
  const cut = (sort: Sort, end: number): Word => ({ sort, word: text.slice(0, end), rest: text.slice(end) });
  if (rune === REPLACEMENT) return cut("none", size);
  if (isConnector(rune)) return cut("connector", run(text, size, rune, isConnector));
  if (isPunctuation(rune)) return cut("punctuation", run(text, size, rune, isPunctuation));
  if (isUpper(rune)) return cut("upper", upperWord(text, size, rune));
  if (isAlphabet(rune)) return cut("letters", run(text, size, rune, smallLetters));
  if (isNumber(rune)) return cut("number", run(text, size, rune, isNumber));
  const isOther = (other: number): boolean =>
    !isConnector(other) && !isAlphabet(other) && !isNumber(other) && !isPunctuation(other);
  return cut("other", run(text, size, rune, isOther));
}

function lowered({ sort, word }: Word, connector: string): string {
  if (sort !== "upper" && sort !== "connector") return word;
  let text = "";
  for (let at = 0; at < word.length; ) {
    const { rune, size } = runeAt(word, at);
    at += size;
    text += isConnector(rune) ? connector : bytesOfRune(isUpper(rune) ? lowerRune(rune) : rune);
  }
  return text;
}

const isOneOf = ({ sort }: Word, ...sorts: readonly Sort[]): boolean => sorts.includes(sort);

/** `someName` as `some_name`, with the connector that is given. */
export function connected(text: string, connector: "_" | "-"): string {
  let out = "";
  let word = nextWord(text);
  while (word.rest !== "") {
    if (word.sort !== "connector") out += lowered(word, connector);
    const before = word;
    word = nextWord(word.rest);
    if (before.sort === "number") {
      while (isOneOf(word, "letters", "number")) {
        out += lowered(word, connector);
        word = nextWord(word.rest);
      }
      if (!isOneOf(word, "none", "punctuation", "connector")) out += connector;
    } else if (before.sort === "connector") out += lowered(before, connector);
    else if (before.sort !== "punctuation") {
      if (word.sort !== "number") {
        if (!isOneOf(word, "connector", "punctuation")) out += connector;
        continue;
      }
      if (word.rest === "") continue;
      const number = word;
      word = nextWord(word.rest);
      if (word.sort !== "letters") {
        out += lowered(number, connector);
        if (!isOneOf(word, "connector", "punctuation")) out += connector;
        continue;
      }
      out += connector + lowered(number, connector);
      while (isOneOf(word, "letters", "number")) {
        out += lowered(word, connector);
        word = nextWord(word.rest);
      }
      if (!isOneOf(word, "none", "connector", "punctuation")) out += connector;
    }
  }
  return out + lowered(word, connector);
}
