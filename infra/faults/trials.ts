import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutageReport } from "./outage.ts";

const root = join(import.meta.dirname, "../..");

/** The trials to make, and the length of their outages. */
export interface FaultTrials {
  readonly outageSeconds: number;
  /** Nothing but the outages. */
  readonly outagesOnly: boolean;
}

/** Makes the trials of `test/faults`, three sites side by side. Returns the exit code, and a line each outage that went well. */
export function runFaultTrials({ outageSeconds, outagesOnly }: FaultTrials): {
  readonly status: number;
  readonly text: string;
} {
  const folder = mkdtempSync(join(tmpdir(), "reveille-faults-report-"));
  const file = join(folder, "outages.jsonl");
  try {
    const { status } = spawnSync(
      process.execPath,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        ...["run", "--project", "faults"],
        ...(outagesOnly ? ["test/faults/outages-"] : []),
      ],
      {
        cwd: root,
        stdio: "inherit",
        env: { ...process.env, FAULTS_OUTAGE_SECONDS: String(outageSeconds), FAULTS_REPORT: file },
      },
    );
    const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    return { status: status ?? 1, text: outagesText(lines.map((line) => JSON.parse(line))) };
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
