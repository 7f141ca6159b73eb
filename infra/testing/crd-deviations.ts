/** A place at which a CRD of ours is not as theirs. */
export interface CrdDeviation {
  readonly path: readonly string[];
  /** `new`: theirs lacks it; `gone`: ours lacks it. */
  readonly change: "new" | "gone" | "other";
}

type Fields = Readonly<Record<string, unknown>>;
const hasParts = (value: unknown): value is Fields => typeof value === "object" && value !== null;

function* deviations(ours: unknown, theirs: unknown, path: readonly string[]): Iterable<CrdDeviation> {
  if (!hasParts(ours) || !hasParts(theirs)) {
    const change = theirs === undefined ? "new" : ours === undefined ? "gone" : "other";
    if (!Object.is(ours, theirs)) yield { path, change };
    return;
  }
  // The order of what is required means nothing.
  if (path.at(-1) === "required" && Array.isArray(ours) && Array.isArray(theirs)) {
    if (ours.toSorted().join() !== theirs.toSorted().join()) yield { path, change: "other" };
    return;
  }
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const [mine, yours] = [ours[name], theirs[name]];
    // Descriptions are for people; a field may have that name too.
    const isText =
      name === "description" && [mine, yours].every((one) => one === undefined || typeof one === "string");
    if (!isText) yield* deviations(mine, yours, [...path, name]);
  }
}

const worded = ({ path, change }: CrdDeviation): string =>
  `.${path.join(".")}`
    .replace(/^\.versions\.0\.schema/, "")
    .replace(/^\.openAPIV3Schema/, "")
    .replaceAll(".properties.", ".") + (change === "other" ? "" : ` (${change})`);

/**
 * The places at which a CRD's schema, or its whole spec, is not as upstream's, in the names of fields.
 * @param counts leaves some out
 */
export const crdDeviations = (
  ours: unknown,
  theirs: unknown,
  counts: (deviation: CrdDeviation) => boolean = () => true,
): readonly string[] => [...deviations(ours, theirs, [])].filter(counts).map(worded).sort();
