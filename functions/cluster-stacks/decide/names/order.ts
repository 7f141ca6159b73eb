import type { StackVersion } from "./version.ts";

/** A version, and when it was published, where anybody knows. */
export interface Dated {
  readonly version: StackVersion;
  /** RFC 3339. */
  readonly publishedAt?: string | undefined;
}

const numbers = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "");
const isNumber = (text: string): boolean => /^\d+$/.test(text);

/**
 * Below zero where `one` is the older version, above where it is the newer, zero where they are the same; undefined where nobody can
 * tell: labels differ, or patches are hashes of which one has no time. Hashes compare by their publication, numbers by themselves.
 */
export function compareVersions(one: Dated, other: Dated): number | undefined {
  const [mine, theirs] = [one.version.custom, other.version.custom];
  const majors = numbers(one.version.major, other.version.major);
  if (mine === undefined && theirs === undefined) return majors;
  if (mine === undefined || theirs === undefined || mine.label !== theirs.label) return undefined;
  if (majors !== 0) return majors;
  if (mine.patch === theirs.patch) return 0;
  if (isNumber(mine.patch) && isNumber(theirs.patch))
    // Two spellings of a number are two versions: the shorter one is the older.
    return (
      numbers(withoutZeros(mine.patch), withoutZeros(theirs.patch)) || mine.patch.length - theirs.patch.length
    );
  const [published, publishedOther] = [timeOf(one), timeOf(other)];
  if (Number.isNaN(published) || Number.isNaN(publishedOther)) return undefined;
  return published - publishedOther || (mine.patch < theirs.patch ? -1 : 1);
}

const timeOf = ({ publishedAt }: Dated): number => Date.parse(publishedAt ?? "");

/** Those of some versions than which none is newer; several where nobody can tell which of them is the newest. */
export function newest<V extends Dated>(versions: readonly V[]): readonly V[] {
  const tops = versions.filter((one) => !versions.some((other) => (compareVersions(one, other) ?? 0) < 0));
  // Numbers beside hashes may go in a circle.
  return tops.length > 0 ? tops : versions;
}

/** The highest of some versions; undefined of none. `ambiguous` where two that could be it cannot be compared. */
export function highest<V extends Dated>(versions: readonly V[]): V | "ambiguous" | undefined {
  const tops = newest(versions);
  const [top] = tops;
  if (top === undefined) return undefined;
  return tops.every((other) => compareVersions(top, other) === 0) ? top : "ambiguous";
}
