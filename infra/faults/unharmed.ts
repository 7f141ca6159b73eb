import assert from "node:assert/strict";
import type { FaultWorld } from "./world.ts";

const HEALED_WITHIN_SECONDS = 30;

/**
 * Passes where all is as it should be within 30 seconds, and nothing was given up or went back on the way. Resolves with the
 * seconds that it took.
 */
export async function isUnharmed(world: FaultWorld, withinSeconds = HEALED_WITHIN_SECONDS): Promise<number> {
  const seconds = await world.heals(withinSeconds);
  assert.deepEqual(await world.deadLetters(), []);
  assert.deepEqual(world.auditor.findings, []);
  return seconds;
}
