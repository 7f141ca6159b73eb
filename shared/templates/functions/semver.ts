import { FunctionFault } from "../errors.ts";
import type { Functions } from "../function.ts";
import { INT64 } from "../numbers.ts";
import { Int, type TemplateFunction, TemplateObject, typeOf, type Value } from "../values.ts";
import { fixed } from "./define.ts";

const VERSION =
  /^v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?(-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;
const OPERATOR = "=||!=|>|<|>=|=>|<=|=<|~|~>|\\^";
const PLACE = "[0-9|xX*]+";
const IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const ASKED = `v?(${PLACE})(\\.${PLACE})?(\\.${PLACE})?(-${IDENTIFIERS})?(\\+${IDENTIFIERS})?`;
const ONE = new RegExp(`^\\s*(${OPERATOR})\\s*(${ASKED})\\s*$`);
const EACH = new RegExp(`(?:${OPERATOR})\\s*(?:${ASKED})`, "g");
const ALL = new RegExp(
  `^\\s*(?:${OPERATOR})\\s*(?:${ASKED})\\s*(?:(?:\\s+|,\\s*)(?:${OPERATOR})\\s*(?:${ASKED})\\s*)*$`,
);
const RANGE = new RegExp(`\\s*(${ASKED})\\s+-\\s+(${ASKED})\\s*`, "g");
/** The group of the second version in a range: behind the first and its five parts. */
const RANGE_END = 7;
/** Longer constraints are no work of people, and the patterns above grow slow on them. */
const LONGEST = 256;

const compare = <T extends bigint | number | string>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0;

function comparePart(one: string, other: string): number {
  if (one === other) return 0;
  if (one === "") return -1;
  if (other === "") return 1;
  const [mine, theirs] = [one, other].map((part) => (/^[0-9]{1,20}$/.test(part) ? BigInt(part) : undefined));
  if (mine !== undefined && theirs !== undefined) return compare(mine, theirs);
  if (mine !== undefined) return -1;
  return theirs !== undefined ? 1 : compare(one, other);
}

function comparePrerelease(one: string, other: string): number {
  const [mine, theirs] = [one.split("."), other.split(".")];
  for (let index = 0; index < Math.max(mine.length, theirs.length); index += 1) {
    const order = comparePart(mine[index] ?? "", theirs[index] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

const uint64 = (value: bigint): Int => new Int(value, "uint64");
const answering = (answer: () => Value): { readonly method: TemplateFunction } => ({
  method: fixed([], answer),
});

/** A semantic version, as sprig's `semver` gives it. */
export class Version extends TemplateObject {
  readonly type = "*semver.Version";
  readonly kind = "ptr";
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: string;
  readonly metadata: string;
  readonly original: string;

  /** @throws FunctionFault where the text is no version. Minor and patch may be left out. */
  constructor(text: string) {
    super();
    const [found, major = "0", minor = ".0", patch = ".0", , prerelease = "", , metadata = ""] =
      VERSION.exec(text) ?? [];
    if (found === undefined) throw new FunctionFault("Invalid Semantic Version");
    const numbers = [major, minor.slice(1), patch.slice(1)].map((digits) => {
      const value = digits.length > 20 ? INT64.mostUnsigned + 1n : BigInt(digits);
      if (value > INT64.mostUnsigned)
        throw new FunctionFault("Error parsing version segment: value out of range");
      return value;
    });
    if (prerelease.split(".").some((part) => /^0[0-9]+$/.test(part)))
      throw new FunctionFault("Version segment starts with 0");
    this.numbers = [numbers[0] ?? 0n, numbers[1] ?? 0n, numbers[2] ?? 0n];
    this.prerelease = prerelease;
    this.metadata = metadata;
    this.original = text;
  }

  compare(other: Version): number {
    for (const index of [0, 1, 2] as const) {
      const order = compare(this.numbers[index], other.numbers[index]);
      if (order !== 0) return order;
    }
    if (this.prerelease === other.prerelease) return 0;
    if (this.prerelease === "") return 1;
    return other.prerelease === "" ? -1 : comparePrerelease(this.prerelease, other.prerelease);
  }

  override fields(): readonly (readonly [string, Value])[] {
    const [major, minor, patch] = this.numbers;
    return [
      ["major", uint64(major)],
      ["minor", uint64(minor)],
      ["patch", uint64(patch)],
      ["pre", this.prerelease],
      ["metadata", this.metadata],
      ["original", this.original],
    ];
  }

  override isEqual(other: TemplateObject): boolean {
    return other instanceof Version && other.original === this.original;
  }

  /** Go's copy leaves out fields that are not exported, and these are none of them. */
  override copied(): Version {
    return new Version("0.0.0");
  }

  toString(): string {
    const prerelease = this.prerelease === "" ? "" : `-${this.prerelease}`;
    return `${this.numbers.join(".")}${prerelease}${this.metadata === "" ? "" : `+${this.metadata}`}`;
  }

  member(name: string): { readonly method: TemplateFunction } | undefined {
    const [major, minor, patch] = this.numbers;
    switch (name) {
      case "Major":
        return answering(() => uint64(major));
      case "Minor":
        return answering(() => uint64(minor));
      case "Patch":
        return answering(() => uint64(patch));
      case "Prerelease":
        return answering(() => this.prerelease);
      case "Metadata":
        return answering(() => this.metadata);
      case "Original":
        return answering(() => this.original);
      case "String":
        return answering(() => this.toString());
      case "Compare":
        return this.#comparing((order) => new Int(order));
      case "Equal":
        return this.#comparing((order) => order === 0);
      case "LessThan":
        return this.#comparing((order) => order < 0);
      case "LessThanEqual":
        return this.#comparing((order) => order <= 0);
      case "GreaterThan":
        return this.#comparing((order) => order > 0);
      case "GreaterThanEqual":
        return this.#comparing((order) => order >= 0);
      default:
        return undefined;
    }
  }

  #comparing(answer: (order: number) => Value): { readonly method: TemplateFunction } {
    return {
      method: fixed(["value"], ([other]) => {
        if (other instanceof Version) return answer(this.compare(other));
        throw new FunctionFault(`wrong type for value; expected ${this.type}; got ${typeOf(other)}`);
      }),
    };
  }
}

/** One condition: an operator and a version whose last places may be left open. */
interface Constraint {
  readonly operator: string;
  readonly version: Version;
  readonly open: boolean;
  readonly openMinor: boolean;
  readonly openPatch: boolean;
}

const isOpen = (place: string | undefined): boolean => place === undefined || /^\.?[xX*]$/.test(place);

function constraintOf(text: string): Constraint {
  const [found, operator = "", whole = "", major, minor, patch, prerelease = ""] = ONE.exec(text) ?? [];
  if (found === undefined) throw new FunctionFault(`improper constraint: ${text}`);
  const make = (version: string, openMinor: boolean, openPatch: boolean, open: boolean): Constraint => {
    try {
      return { operator, version: new Version(version), open, openMinor, openPatch };
    } catch (cause) {
      if (cause instanceof FunctionFault) throw new FunctionFault("constraint Parser Error", { cause });
      throw cause;
    }
  };
  if (isOpen(major)) return make(`0.0.0${prerelease}`, false, false, true);
  if (isOpen(minor)) return make(`${major}.0.0${prerelease}`, true, false, true);
  if (isOpen(patch)) return make(`${major}${minor}.0${prerelease}`, false, true, true);
  return make(whole, false, false, false);
}

function tilde(version: Version, { version: asked, openMinor, openPatch }: Constraint): boolean {
  if (version.compare(asked) < 0) return false;
  if (asked.numbers.every((number) => number === 0n) && !openMinor && !openPatch) return true;
  return version.numbers[0] === asked.numbers[0] && (openMinor || version.numbers[1] === asked.numbers[1]);
}

function caret(version: Version, { version: asked, openMinor, openPatch }: Constraint): boolean {
  if (version.compare(asked) < 0) return false;
  const [major, minor, patch] = version.numbers;
  const [askedMajor, askedMinor, askedPatch] = asked.numbers;
  if (major !== askedMajor) return false;
  if (askedMajor > 0n || openMinor) return true;
  if (minor !== askedMinor) return false;
  return askedMinor > 0n || openPatch || patch === askedPatch;
}

function greater(version: Version, { version: asked, open, openMinor, openPatch }: Constraint): boolean {
  if (!open) return version.compare(asked) > 0;
  if (version.numbers[0] !== asked.numbers[0]) return version.numbers[0] > asked.numbers[0];
  if (openMinor) return false;
  return openPatch ? version.numbers[1] > asked.numbers[1] : version.compare(asked) > 0;
}

function notGreater(version: Version, { version: asked, open, openMinor }: Constraint): boolean {
  if (!open) return version.compare(asked) <= 0;
  if (version.numbers[0] !== asked.numbers[0]) return version.numbers[0] < asked.numbers[0];
  return openMinor || version.numbers[1] <= asked.numbers[1];
}

function different(version: Version, { version: asked, open, openMinor, openPatch }: Constraint): boolean {
  if (!open) return version.compare(asked) !== 0;
  if (version.prerelease !== "" && asked.prerelease === "") return false;
  if (version.numbers[0] !== asked.numbers[0]) return true;
  if (openMinor) return false;
  if (version.numbers[1] !== asked.numbers[1]) return true;
  if (openPatch)
    return (
      (version.prerelease !== "" || asked.prerelease !== "") &&
      comparePrerelease(version.prerelease, asked.prerelease) !== 0
    );
  return version.numbers[2] !== asked.numbers[2] || version.compare(asked) !== 0;
}

/** True where a version satisfies a condition. A prerelease satisfies none that does not name one. */
function satisfies(version: Version, constraint: Constraint): boolean {
  const { operator, version: asked, open } = constraint;
  if (operator === "!=") return different(version, constraint);
  if (version.prerelease !== "" && asked.prerelease === "") return false;
  switch (operator) {
    case ">":
      return greater(version, constraint);
    case "<":
      return version.compare(asked) < 0;
    case ">=":
    case "=>":
      return version.compare(asked) >= 0;
    case "<=":
    case "=<":
      return notGreater(version, constraint);
    case "~":
    case "~>":
      return tilde(version, constraint);
    case "^":
      return caret(version, constraint);
    default:
      return open ? tilde(version, constraint) : version.compare(asked) === 0;
  }
}

/** True where a version satisfies all conditions of one of the alternatives. @throws FunctionFault */
export function matchesConstraint(text: string, versionText: string): boolean {
  if (text.length > LONGEST || versionText.length > LONGEST)
    throw new FunctionFault(`a version or its constraint has more than ${LONGEST} bytes`);
  let rewritten = text;
  for (const match of text.matchAll(RANGE))
    rewritten = rewritten.replace(match[0], () => `>= ${match[1]}, <= ${match[RANGE_END]} `);
  const alternatives = rewritten.split("||").map((part) => {
    if (!ALL.test(part)) throw new FunctionFault(`improper constraint: ${part}`);
    return (part.match(EACH) ?? [part]).map(constraintOf);
  });
  const version = new Version(versionText);
  return alternatives.some((all) => all.every((constraint) => satisfies(version, constraint)));
}

/** Functions on versions. */
export const semver: Functions = {
  semver: fixed(["string"], ([text]) => new Version(text)),
  semverCompare: fixed(["string", "string"], ([constraint, version]) =>
    matchesConstraint(constraint, version),
  ),
};
