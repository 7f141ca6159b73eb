import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { TrialSite } from "./trial-site.ts";
import { isUnharmed, nobodyEnded } from "./unharmed.ts";

/** For so long a test's outage lasts, where nobody asks for another: much longer than four attempts of a key take. */
const SECONDS = 60;
/**
 * The time within which few waiting changes are worked off: more would be a wait of Reveille's own for a connection that is
 * there.
 */
const HEALED_WITHIN_SECONDS = 30;

/** The report of an outage, one in JSON a line in the file that `FAULTS_REPORT` names. */
export interface OutageReport {
  readonly what: string;
  readonly seconds: number;
  /** Changes of this site up to its end. */
  readonly changes: number;
  readonly healedAfterSeconds: number;
}

/** One outage: `begin` resolves once it has begun and users went on with what they can do meanwhile. */
export interface Outage {
  readonly what: string;
  begin(): Promise<void>;
  /** Resolves when it is over, so that what was away answers again. */
  end(): Promise<void>;
}

/** Passes where nothing was missed, given up or taken back, no member ended, and all was as it should be 30 s after its end. */
export async function goesUnharmedThrough(site: TrialSite, { what, begin, end }: Outage): Promise<void> {
  const seconds = Number(process.env.FAULTS_OUTAGE_SECONDS ?? SECONDS);
  await begin();
  await pause(seconds * 1000);
  await end();
  const healedAfterSeconds = await isUnharmed(site, HEALED_WITHIN_SECONDS);
  nobodyEnded(site);
  const report: OutageReport = { what, seconds, changes: site.load.changes, healedAfterSeconds };
  const file = process.env.FAULTS_REPORT;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(report)}\n`);
}
