import type { SoakReport } from "./soak.ts";

const SHOWN = 20;

/** For people: counts first, then what was found. */
export function reportText(report: SoakReport): string {
  const { sent, answers, blows, failures, forgotten, rested, missed, stale, findings } = report;
  const lines = [
    `${sent.changes} changes sent (${sent.refused} refused), ${answers} answers seen, audited ${Math.round(rested / 1000)} s after the last change`,
    `${blows.length} blows; members that ended by themselves: ${failures}; children that garbage collection forgot: ${forgotten}`,
    `missed ${missed.length}, stale ${stale.length}, doubled or wrong ${findings.length}`,
    ...missed.slice(0, SHOWN).map((one) => `  missed: ${one}`),
    ...stale.slice(0, SHOWN).map((one) => `  stale: ${one}`),
    ...findings.slice(0, SHOWN).map(({ sort, object, seen }) => `  ${sort}: ${object}: ${seen}`),
  ];
  return lines.join("\n");
}
