import type { Cause, SweepSource } from "./item.ts";

/** The record of a key whose last attempt failed (B6). */
export interface Dead {
  readonly error: { readonly code: string; readonly message: string };
  readonly attempts: number;
  /** Ids of the events that led to it. */
  readonly causes: readonly string[];
  /** RFC 3339. */
  readonly at: string;
  /** uid → generation of what it was about. */
  readonly subjects: Readonly<Record<string, number>>;
  /** The sweep that a failed one still owes its dependants. */
  readonly sweep?: SweepSource | undefined;
}

/**
 * True where a cause takes a key out of the dead letters (rule 10): it says so, or the key's own object has another uid or
 * generation than the one that failed.
 */
export function takesOut(dead: Dead, cause: Cause): boolean {
  if (cause.revives) return true;
  if (cause.sort !== "own" || cause.uid === undefined) return false;
  return dead.subjects[cause.uid] !== cause.generation || cause.generation === undefined;
}

/** The members of a group, or the object, that an item's own causes name: what is known where no run could say it. */
export const subjectsOf = (causes: readonly Cause[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    causes.flatMap(({ sort, uid, generation }) =>
      sort === "own" && uid !== undefined && generation !== undefined ? [[uid, generation]] : [],
    ),
  );
