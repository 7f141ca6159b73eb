import { ReveilleError } from "../errors.ts";
import { isFactDigest } from "../kube/facts.ts";

type Facts = Readonly<Record<string, unknown>>;

/** A predicate asked for a fact of which only the digest is known. It is no fault: what throws counts as true. */
export class FactTooLongError extends ReveilleError {
  constructor(fact: string) {
    super(
      "FACT_TOO_LONG",
      `The fact ${fact} is too long to be told: a predicate that asks for it counts as true`,
    );
  }
}

/**
 * Facts as a predicate sees them: one that is told as its digest cannot be compared with anything, so reading it throws a
 * `FactTooLongError`, and the predicate counts as true.
 */
export function guarded(facts: Facts): Facts {
  const digests = Object.keys(facts).filter((name) => isFactDigest(facts[name]));
  if (digests.length === 0) return facts;
  return Object.defineProperties(
    { ...facts },
    Object.fromEntries(
      digests.map((name) => [
        name,
        {
          enumerable: true,
          get: () => {
            throw new FactTooLongError(name);
          },
        },
      ]),
    ),
  );
}
