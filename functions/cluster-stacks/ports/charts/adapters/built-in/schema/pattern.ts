import { RE2JS, RE2JSException } from "re2js";

const known = new Map<string, (text: string) => boolean>();
const MOST_KNOWN = 500;

/** Tells whether a text matches, in time that grows with the text alone; undefined where the pattern is none of RE2's. */
export function patternOf(pattern: string): ((text: string) => boolean) | undefined {
  const there = known.get(pattern);
  if (there !== undefined) return there;
  try {
    const compiled = RE2JS.compile(pattern);
    const matches = (text: string): boolean => compiled.matcher(text).find();
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(pattern, matches);
    return matches;
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
