// The package as a whole brings ranges too: four times as much in each bundle.
import compare from "semver/functions/compare.js";
import parse from "semver/functions/parse.js";

/** A semantic version, parsed strictly: no `v` in front, no blanks, nothing left out. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The version as it is written. */
  readonly text: string;
}

/** Undefined where it is none. */
export function parseVersion(text: string | undefined): SemanticVersion | undefined {
  if (text === undefined || !/^\d/.test(text) || text.trim() !== text) return undefined;
  const parsed = parse(text);
  return parsed === null
    ? undefined
    : { major: parsed.major, minor: parsed.minor, patch: parsed.patch, text };
}

/** Below zero where `one` comes first. Build metadata counts for nothing. */
export const compareVersions = (one: SemanticVersion, other: SemanticVersion): number =>
  compare(one.text, other.text);

export const sameMinor = (one: SemanticVersion, other: SemanticVersion): boolean =>
  one.major === other.major && one.minor === other.minor;

/** Newest first; what cannot be parsed comes last, by its text. */
export function newestFirst(one: string, other: string): number {
  const [a, b] = [parseVersion(one), parseVersion(other)];
  if (a !== undefined && b !== undefined)
    return compareVersions(b, a) || (one < other ? 1 : one > other ? -1 : 0);
  if (a === undefined && b === undefined) return one < other ? -1 : one > other ? 1 : 0;
  return a === undefined ? 1 : -1;
}
