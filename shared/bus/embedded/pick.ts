/** The number of items taken in a row of which one comes from the slow lane if there is any, so that it is never starved (B8). */
const SWEEP_ONE_IN = 10;

/**
 * Picks up to `free` items from the heads of both lanes: urgent ones first, a sweep in every tenth place.
 * @param taken how many were taken before
 */
export function pick<Item>(
  urgent: readonly Item[],
  sweep: readonly Item[],
  free: number,
  taken: number,
): readonly Item[] {
  const picked: Item[] = [];
  const lanes = { urgent: urgent.values(), sweep: sweep.values() };
  for (let place = taken + 1; picked.length < free; place++) {
    const [first, second] =
      place % SWEEP_ONE_IN === 0 ? [lanes.sweep, lanes.urgent] : [lanes.urgent, lanes.sweep];
    const next = first.next();
    const item = next.done ? second.next() : next;
    if (item.done) break;
    picked.push(item.value);
  }
  return picked;
}

/** True where `pick` could take anything from the slow lane; else it need not be read. */
export const sweepMayCome = (urgent: number, free: number, taken: number): boolean =>
  urgent < free || Math.floor((taken + free) / SWEEP_ONE_IN) > Math.floor(taken / SWEEP_ONE_IN);
