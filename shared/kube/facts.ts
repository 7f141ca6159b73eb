import { canonicalDigest } from "../json/canonical.ts";
import { type Segments, valueAt } from "./paths.ts";

/** A fact whose JSON takes more bytes of UTF-8 than this is told as its digest. */
const MOST_BYTES = 1024;
/** A character takes six bytes at most, as the escape that JSON writes for it. */
const SURELY_SHORT = MOST_BYTES / 6 - 2;
const DIGEST = "reveille.dev/digest";

/** The digest that stands for a fact too long to travel: it tells that the fact changed, never its value. */
export interface FactDigest {
  readonly [DIGEST]: string;
  /** The size of the fact's JSON. */
  readonly bytes: number;
}

/** True for a fact that is known by its digest alone. */
export const isFactDigest = (fact: unknown): fact is FactDigest =>
  typeof fact === "object" && fact !== null && DIGEST in fact;

/** A value as it is told: itself, or its digest where it is long. */
function told(value: unknown): unknown {
  if (typeof value === "string" ? value.length < SURELY_SHORT : typeof value !== "object" || value === null)
    return value;
  const { digest, bytes } = canonicalDigest(value);
  return bytes <= MOST_BYTES ? value : { [DIGEST]: digest, bytes };
}

/** The fact at a path of an object, as everybody is told it; undefined where it has none. */
export const factAt = (object: object, path: Segments): unknown => told(valueAt(object, path));

/** The facts of an object by name, without those that it does not have. */
export function factsOf(paths: Readonly<Record<string, Segments>>, object: object): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(paths)) {
    const fact = factAt(object, path);
    if (fact !== undefined) facts[name] = fact;
  }
  return facts;
}
