import { type Time, timeOf } from "../../../../shared/function/index.ts";
import type { Mode } from "../graph/index.ts";

/** Shortest time between two passes that keep to a release. */
const MINIMUM = 2 * 60_000;

/**
 * A number in [0, 1) that follows from the text: what upstream draws at random is the same in each pass here, so that a pass that is
 * done again decides the same.
 */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** I: how long after a pass that went well the next one is due, in milliseconds. Between 2 and 4 minutes, its own for each cluster. */
export const reconcileInterval = (seed: string): number => Math.trunc(MINIMUM * (1 + fraction(seed)));

/** The pause after the nth failed pass in a row, in milliseconds: I/8, I/4, I/2, then I, and up to a fifth more. */
export function failedInterval(seed: string, failures: number): number {
  const interval = reconcileInterval(seed);
  const share = failures < 4 ? 2 ** failures / 16 : 1;
  return Math.trunc(interval * share * (1 + 0.2 * fraction(`${seed} ${failures}`)));
}

/** The number of tries of a task within a pass before its failure is the pass's, and the pause between them (4.6). */
interface Backoff {
  readonly milliseconds: number;
  readonly factor: number;
  readonly tries: number;
}
const CAP = 15_000;
const backoffOf = (mode: Mode): Backoff =>
  mode === "Initializing"
    ? { milliseconds: 1_000, factor: 2, tries: 4 }
    : { milliseconds: 10_000, factor: 1.3, tries: 3 };

/**
 * The time at which a task that failed for the nth time is tried again. After its tries within the pass it is the pass that
 * failed.
 */
export function retryOf(
  mode: Mode,
  failures: number,
  { seed, now }: { readonly seed: string; readonly now: Time },
): { readonly at: Time; readonly failsPass: boolean } {
  const { milliseconds, factor, tries } = backoffOf(mode);
  const failsPass = failures >= tries;
  const wait = failsPass
    ? failedInterval(seed, failures - tries + 1)
    : Math.min(CAP, milliseconds * factor ** (failures - 1));
  return { at: timeOf(Date.parse(now) + wait), failsPass };
}
