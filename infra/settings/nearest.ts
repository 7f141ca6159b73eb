/** The name that was probably meant: one letter of three, at most two, changed, added or left out. */
export function nearest(wrong: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.distance <= Math.min(2, wrong.length / 3))
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index++)
      next.push(
        Math.min(
          (row[index] ?? 0) + (letter === other[index] ? 0 : 1),
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
