/** The name that was probably meant: one letter of three, at most two, changed, added, left out, or changed places with its neighbour. */
export function nearest(wrong: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.distance <= Math.min(2, wrong.length / 3))
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

/** Names are short; what somebody sends in their place need not be. */
const LONGEST = 128;

function distance(one: string, other: string): number {
  if (one.length > LONGEST) return one.length;
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index++) {
      const swapped = index > 0 && at > 0 && one[at] === other[index - 1] && one[at - 1] === other[index];
      next.push(
        Math.min(
          (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1),
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
          swapped ? (before[index - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
