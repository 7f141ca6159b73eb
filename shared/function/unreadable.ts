import type { UnreadableObjectError } from "../kube/read.ts";

/** An object of a list that cannot be read, and why. Its change wakes the function. */
export type Unreadable = Pick<UnreadableObjectError, "object" | "path" | "message">;

const missing = new WeakMap<readonly unknown[], readonly Unreadable[]>();

/** Notes the objects that a list lacks because they could not be read. */
export function noteUnreadable<T>(list: readonly T[], unreadable: readonly Unreadable[]): readonly T[] {
  if (unreadable.length > 0) missing.set(list, unreadable);
  return list;
}

/**
 * The objects that a list of `read.list`, `read.objects` or the members of a group would hold if they could be read. A function
 * that concludes from the absence of an object asks this first.
 */
export const unreadableIn = (list: readonly unknown[]): readonly Unreadable[] => missing.get(list) ?? [];
