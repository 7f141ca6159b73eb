import * as z from "zod";

/**
 * A string of which TypeScript knows the values and the server does not: an object whose status another operator wrote
 * with a word of its own must still be accepted when its user edits it.
 */
export const word = <T extends string>(): z.ZodType<T, T> => z.string() as unknown as z.ZodType<T, T>;

/** A path through a map: every name leads to one, which TypeScript cannot know. */
export function through<P>(path: P | undefined): P {
  if (path === undefined) throw new TypeError("There is no path there.");
  return path;
}
