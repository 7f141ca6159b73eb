/** After so many attempts each node has been among the first. */
const STRIDE = 8;

/** A small seeded generator: the order of an attempt is the same wherever it is computed. Values from 0 up to 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items];
  const out: T[] = [];
  while (left.length > 0) out.push(...left.splice(Math.floor(random() * left.length), 1));
  return out;
}

/** The number of places by which a list of `length` is turned at this step: steps spread evenly over long lists. */
const turn = (step: number, length: number): number =>
  length === 0 ? 0 : (length < STRIDE ? step : Math.floor((step * length) / STRIDE)) % length;

/**
 * The order in which a reconcile attempt goes through nodes that do not depend on each other, so that one that hangs does not
 * hold up the same others each time: shuffled anew every 8 attempts, turned by an eighth in between.
 */
export function attemptOrder(attempt: number): <T>(items: readonly T[]) => readonly T[] {
  const random = generator(Math.floor(attempt / STRIDE));
  return (items) => {
    const mixed = shuffled(items, random);
    const by = turn(attempt % STRIDE, items.length);
    return [...mixed.slice(by), ...mixed.slice(0, by)];
  };
}
