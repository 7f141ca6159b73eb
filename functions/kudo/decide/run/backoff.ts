import { createHash } from "node:crypto";
import { type Time, timeOf } from "../../../../shared/function/index.ts";

const LONGEST_SECONDS = 300;
/** The part of a delay that differs from key to key, so that a thousand do not come back at once. */
const JITTER = 0.2;

/** When to try again after so many failures in a row: after 1, 2, 4 … 300 seconds, a little more or less by its uid. */
export function nextRetry(attempts: number, seed: string, now: Time): Time {
  const seconds = Math.min(2 ** Math.min(attempts - 1, 16), LONGEST_SECONDS);
  const [byte = 0] = createHash("sha256").update(`${seed} ${attempts}`).digest();
  const jittered = seconds * (1 + JITTER * (byte / 255 - 0.5));
  // Stored in whole seconds, and never in this one.
  return timeOf(Math.ceil((Date.parse(now) + Math.max(1, jittered) * 1000) / 1000) * 1000);
}
