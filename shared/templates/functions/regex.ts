import { isUtf8 } from "node:buffer";
import { RE2JS, RE2JSException } from "re2js";
import { isWordRune, runeAt } from "../bytes.ts";
import { FunctionFault, LimitFault } from "../errors.ts";
import type { Call, Functions } from "../function.ts";
import type { Budget } from "../limits.ts";
import { List, type TemplateFunction, type Value } from "../values.ts";
import { fixed, onText, textList } from "./define.ts";

/** Longer patterns are no work of people. */
const LONGEST_PATTERN = 4096;
/** Instructions of a pattern that make each character count once more. */
const PER_CHARACTER = 64;

const compiled = new WeakMap<Budget, Map<string, RE2JS>>();

/** A pattern in RE2's syntax, compiled once a rendering. @throws FunctionFault where it is none */
function patternOf(source: string, { budget }: Call): RE2JS {
  const patterns = compiled.get(budget) ?? new Map<string, RE2JS>();
  compiled.set(budget, patterns);
  const known = patterns.get(source);
  if (known !== undefined) return known;
  if (source.length > LONGEST_PATTERN)
    throw new LimitFault(`it searches by a pattern of more than ${LONGEST_PATTERN} bytes`);
  budget.step(1000 + source.length * 10);
  const bytes = Buffer.from(source, "latin1");
  if (!isUtf8(bytes)) throw new FunctionFault(`error parsing regexp: invalid UTF-8: \`${source}\``);
  try {
    const pattern = RE2JS.compile(bytes.toString("utf8"));
    patterns.set(source, pattern);
    return pattern;
  } catch (cause) {
    if (cause instanceof RE2JSException) throw new FunctionFault(cause.message, { cause });
    throw cause;
  }
}

/** The places of a match and of its groups in bytes; -1 where a group took no part. */
type Match = readonly (readonly [number, number])[];

/** Searches one text from places of it. */
class Search {
  readonly text: string;
  readonly #pattern: RE2JS;
  readonly #budget: Budget;
  readonly #bytes: Uint8Array;
  readonly #effort: number;

  constructor(source: string, text: string, call: Call) {
    this.text = text;
    this.#pattern = patternOf(source, call);
    this.#budget = call.budget;
    this.#bytes = Buffer.from(text, "latin1");
    // The matcher may look at each instruction for each character.
    this.#effort = 1 + this.#pattern.programSize() / PER_CHARACTER;
  }

  /** The first match from a byte on. Each search may look at all the rest. */
  from(at: number): Match | undefined {
    this.#budget.step(1 + Math.ceil((this.text.length - at) * this.#effort));
    const matcher = this.#pattern.matcher(this.#bytes);
    if (!matcher.find(at)) return undefined;
    return Array.from({ length: this.#pattern.groupCount() + 1 }, (_, group) => [
      matcher.start(group),
      matcher.end(group),
    ]);
  }

  /** All matches, at most so many; none is empty right after another. */
  all(most: number): readonly Match[] {
    const matches: Match[] = [];
    let before = -1;
    for (let at = 0; at <= this.text.length && matches.length < most; ) {
      const match = this.from(at);
      if (match === undefined) break;
      const [start, end] = match[0] ?? [0, 0];
      const isAccepted = end !== at || start !== before;
      at = end === at ? at + widthAt(this.text, at) : end;
      before = end;
      if (isAccepted) matches.push(match);
    }
    return matches;
  }

  /** The number of a group's name; undefined where there is none such. */
  groupNamed(name: string): number | undefined {
    const groups: Readonly<Record<string, number>> = this.#pattern.namedGroups();
    return Object.hasOwn(groups, name) ? groups[name] : undefined;
  }

  /** The bytes of a match, or of one of its groups. */
  part(match: Match, group = 0): string {
    const [start, end] = match[group] ?? [-1, -1];
    return start < 0 ? "" : this.text.slice(start, end);
  }
}

/** The places that Go sets aside for matches before it knows how many there are. */
const FIRST = 10;
const widthAt = (text: string, at: number): number => (at < text.length ? runeAt(text, at).size : 1);

function findAll(source: string, text: string, most: number, call: Call): List {
  // A bad pattern is refused even where nothing is asked for.
  const search = new Search(source, text, call);
  if (most === 0) return new List([], "string", true);
  const found = search.all(most < 0 ? Infinity : most).map((match) => search.part(match));
  return List.appended(found, "string", found.length === 0, found.length === 0 ? 0 : FIRST);
}

/** Every match replaced by what `write` makes of it. */
function replaceAll(search: Search, write: (match: Match) => string, { budget }: Call): string {
  const { text } = search;
  let out = "";
  let behind = 0;
  for (let at = 0; at <= text.length; ) {
    const match = search.from(at);
    if (match === undefined) break;
    const [start, end] = match[0] ?? [0, 0];
    out += text.slice(behind, start);
    if (end > behind || start === 0) {
      const written = write(match);
      budget.bytes(written.length);
      out += written;
    }
    behind = end;
    at = at + widthAt(text, at) > end ? at + widthAt(text, at) : end;
  }
  return out + text.slice(behind);
}

/** The name after a dollar sign, and where the text goes on; undefined where the sign stands for itself. */
function nameAfter(
  template: string,
  at: number,
): { readonly name: string; readonly next: number } | undefined {
  const braced = template[at] === "{";
  const from = braced ? at + 1 : at;
  let to = from;
  while (to < template.length) {
    const { rune, size } = runeAt(template, to);
    if (!isWordRune(rune)) break;
    to += size;
  }
  if (to === from || (braced && template[to] !== "}")) return undefined;
  return { name: template.slice(from, to), next: braced ? to + 1 : to };
}

/** A replacement in which `$1` and `${name}` stand for groups. */
function expanded(template: string, search: Search, match: Match): string {
  let out = "";
  for (let at = 0; at < template.length; ) {
    const dollar = template.indexOf("$", at);
    if (dollar < 0) return out + template.slice(at);
    out += template.slice(at, dollar);
    at = dollar + 1;
    const named = template[at] === "$" ? undefined : nameAfter(template, at);
    if (named === undefined) {
      out += "$";
      if (template[at] === "$") at += 1;
      continue;
    }
    at = named.next;
    const isNumber = /^(0|[1-9][0-9]{0,8})$/.test(named.name);
    const group = isNumber ? Number(named.name) : search.groupNamed(named.name);
    if (group !== undefined) out += search.part(match, group);
  }
  return out;
}

function split(source: string, text: string, most: number, call: Call): List {
  // A bad pattern is refused even where nothing is asked for.
  const search = new Search(source, text, call);
  if (most === 0) return new List([], "string", true);
  if (source !== "" && text === "") return textList([""]);
  const parts: string[] = [];
  let begin = 0;
  let end = 0;
  const matches = search.all(most < 0 ? Infinity : most);
  for (const match of matches) {
    if (most > 0 && parts.length === most - 1) break;
    const [start, behind] = match[0] ?? [0, 0];
    end = start;
    if (behind !== 0) parts.push(text.slice(begin, end));
    begin = behind;
  }
  if (end !== text.length) parts.push(text.slice(begin));
  return List.appended(parts, "string", false, matches.length);
}

const isMatch = ([source, text]: readonly [string, string], call: Call): boolean =>
  new Search(source, text, call).from(0) !== undefined;

function find([source, text]: readonly [string, string], call: Call): string {
  const search = new Search(source, text, call);
  const match = search.from(0);
  return match === undefined ? "" : search.part(match);
}

/** False where the pattern is none, as Go's caller leaves its error unread. */
function quietly([source, text]: readonly [string, string], call: Call): Value {
  try {
    return isMatch([source, text], call);
  } catch (fault) {
    if (fault instanceof FunctionFault) return false;
    throw fault;
  }
}

const named = (name: string, defined: TemplateFunction): Functions => ({
  [`regex${name}`]: defined,
  [`mustRegex${name}`]: defined,
});

/** Functions on regular expressions: RE2's, which take time that grows with the text and not faster. */
export const regex: Functions = {
  regexMatch: fixed(["string", "string"], quietly),
  mustRegexMatch: fixed(["string", "string"], isMatch),
  ...named("Find", fixed(["string", "string"], find)),
  ...named(
    "FindAll",
    fixed(["string", "string", "int"], ([source, text, most], call) =>
      findAll(source, text, Number(most.value), call),
    ),
  ),
  ...named(
    "ReplaceAll",
    fixed(["string", "string", "string"], ([source, text, template], call) => {
      const search = new Search(source, text, call);
      return replaceAll(search, (match) => expanded(template, search, match), call);
    }),
  ),
  ...named(
    "ReplaceAllLiteral",
    fixed(["string", "string", "string"], ([source, text, literal], call) =>
      replaceAll(new Search(source, text, call), () => literal, call),
    ),
  ),
  ...named(
    "Split",
    fixed(["string", "string", "int"], ([source, text, most], call) =>
      split(source, text, Number(most.value), call),
    ),
  ),
  regexQuoteMeta: onText((text) => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
};
