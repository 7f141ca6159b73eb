import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { TrialSite } from "./trial-site.ts";

/** A backlog of many changes takes its time where others use the cores too; what is lost stays lost however long one waits. */
const HEALED_WITHIN_SECONDS = 120;
const AT_REST_WITHIN_SECONDS = 30;
/** The time for which nobody writes, where all is at rest. */
const STILL_MILLISECONDS = 5_000;

/**
 * Passes where all is as it should be within `withinSeconds`, nothing was given up or went back on the way, and nobody goes on writing.
 * Resolves with the seconds that the healing took.
 */
export async function isUnharmed(site: TrialSite, withinSeconds = HEALED_WITHIN_SECONDS): Promise<number> {
  const seconds = await site.heals(withinSeconds);
  assert.deepEqual(await site.deadLetters(), []);
  assert.deepEqual(site.auditor.findings, []);
  await comesToRest(site);
  return seconds;
}

/** Passes where no member has ended by itself: each waits for what is away. */
export function nobodyEnded({ watchers, workers }: TrialSite): void {
  assert.deepEqual(
    [...watchers, ...workers].filter(({ failures }) => failures > 0).map(({ name }) => name),
    [],
  );
}

async function comesToRest({ auditor }: TrialSite): Promise<void> {
  const until = performance.now() + AT_REST_WITHIN_SECONDS * 1000;
  for (let before = await auditor.versions(); ; ) {
    await pause(STILL_MILLISECONDS);
    const now = await auditor.versions();
    if (now === before) return;
    assert.ok(performance.now() < until, `somebody goes on writing:\n${newIn(now, before).join("\n")}`);
    before = now;
  }
}

const newIn = (now: string, before: string): readonly string[] => {
  const known = new Set(before.split("\n"));
  return now.split("\n").filter((line) => !known.has(line));
};
