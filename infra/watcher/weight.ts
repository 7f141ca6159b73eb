import type { Facts } from "./sighting.ts";

const FACTS_BYTES = 64;

const known = new WeakMap<Facts, number>();

/** The memory that a set of facts takes, roughly: from above, since each character is counted as two bytes. */
export function weightOfFacts(facts: Facts): number {
  let weight = known.get(facts);
  if (weight === undefined) {
    weight = FACTS_BYTES + 2 * JSON.stringify(facts).length;
    known.set(facts, weight);
  }
  return weight;
}
