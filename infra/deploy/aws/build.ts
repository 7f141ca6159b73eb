// Bundles each Lambda, and tells its size, that of what it loads later, and how long its import takes.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { importMilliseconds } from "../bundle.ts";
import { buildLambdas } from "./bundles.ts";

/** The budgets of the design. */
const MAXIMUM_BYTES = 1_000_000;
const MAXIMUM_MILLISECONDS = 150;

rmSync(join(import.meta.dirname, "../../../build/lambda"), { recursive: true, force: true });
const row = (...cells: readonly string[]): void =>
  void process.stdout.write(
    `${cells.map((cell, index) => (index === 0 ? cell.padEnd(40) : cell.padStart(16))).join("")}\n`,
  );
row("lambda", "kB (≤ 1000)", "kB later", "import ms (≤ 150)");
for (const { name, file, bytes, later } of await buildLambdas()) {
  const milliseconds = importMilliseconds(file);
  row(name, (bytes / 1000).toFixed(0), (later / 1000).toFixed(0), milliseconds.toFixed(0));
  if (bytes > MAXIMUM_BYTES || milliseconds > MAXIMUM_MILLISECONDS)
    process.stdout.write(`  beyond the budget: look at what ${name} imports\n`);
}
