import { hash } from "node:crypto";
import type { WorkKey } from "../bus/item.ts";
import { type Duration, milliseconds } from "../clock/time.ts";

/** The part of a net's time by which the next look may come sooner or later. */
const SPREAD = 0.2;
const LARGEST = 2 ** 32;

/**
 * The time of the next look that a net asks for: strewn by key and time, so that keys which were looked at together, as after a start, do not
 * all come back together.
 */
export function nextLook(net: Duration, { function: name, key }: WorkKey, now: number): number {
  const part = Number.parseInt(hash("sha1", `${name} ${key} ${now}`, "hex").slice(0, 8), 16) / LARGEST;
  return now + Math.round(milliseconds(net) * (1 - SPREAD + 2 * SPREAD * part));
}
