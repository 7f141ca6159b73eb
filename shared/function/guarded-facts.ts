import { ReveilleError } from "../errors.ts";
import { isFactDigest } from "../kube/facts.ts";

type Facts = Readonly<Record<string, unknown>>;

/** A predicate asked for a fact that is known by its digest alone. It is no fault: a predicate that throws counts as true. */
class FactTooLongError extends ReveilleError {
  constructor(fact: string) {
    super(
      "FACT_TOO_LONG",
      `The fact ${fact} is too long to be told: a predicate that asks for it counts as true`,
    );
  }
}

/**
 * The facts as a predicate sees them: a fact known by its digest alone cannot be compared, so reading it throws a
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
