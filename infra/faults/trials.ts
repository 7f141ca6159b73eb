import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutageReport } from "./outage.ts";

const OUTAGES = "test/faults/outages-*.faults.ts";
const OTHERS = "test/faults/!(outages-*).faults.ts";

/** Which trials are made, and for how long what is away stays away. */
export interface FaultTrials {
  readonly outageSeconds: number;
  /** Nothing but the outages. */
  readonly outagesOnly: boolean;
}

/**
 * Makes the trials of `test/faults`: outages side by side, each kind in a world of its own, since they mostly wait; then the others
 * one after another. Resolves with the exit code and a table of the outages.
 */
export function runFaultTrials({ outageSeconds, outagesOnly }: FaultTrials): {
  readonly status: number;
  readonly text: string;
} {
  const folder = mkdtempSync(join(tmpdir(), "reveille-faults-report-"));
  const file = join(folder, "outages.jsonl");
  try {
    const environment = {
      ...process.env,
      FAULTS_OUTAGE_SECONDS: String(outageSeconds),
      FAULTS_REPORT: file,
    };
    const statuses = [trial(OUTAGES, 3, environment)];
    if (!outagesOnly) statuses.push(trial(OTHERS, 1, environment));
    const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    return { status: Math.max(...statuses), text: outagesText(lines.map((line) => JSON.parse(line))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A line an outage that went well. */
export const outagesText = (reports: readonly OutageReport[]): string =>
  reports
    .map(
      ({ what, seconds, changes, healedAfterSeconds }) =>
        `${what}, for ${seconds} s: ${changes} changes, 0 missed, 0 dead letters, healed after ${healedAfterSeconds.toFixed(1)} s`,
    )
    .join("\n");

function trial(files: string, sideBySide: number, env: NodeJS.ProcessEnv): number {
  const { status } = spawnSync(
    process.execPath,
    ["--test", "--test-force-exit", `--test-concurrency=${sideBySide}`, files],
    { stdio: "inherit", env },
  );
  return status ?? 1;
}
