/** Resource versions of one kind compare as numbers: first by length, then as text. */
export function isNewer(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.length === other.length ? one > other : one.length > other.length;
}
