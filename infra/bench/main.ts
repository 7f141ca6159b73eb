// `npm run bench`: the budgets of the design, each against the bare limit in the same run where there is one. They are reported,
// not asserted: the exit code is 0 unless something broke, or with --strict when a budget is missed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../shared/errors.ts";
import { charts } from "./charts.ts";
import type { Figure, Measure } from "./measure.ts";
import * as all from "./measures/index.ts";
import { table } from "./table.ts";

const measures: readonly Measure[] = Object.values(all);
const usage = `npm run bench -- [--only NAME,…] [--json] [--charts FOLDER] [--strict] [--kymas NUMBER [--copied NUMBER]]

Names: ${measures.map(({ name }) => name).join(", ")}
Those against a real API server need etcd and kube-apiserver in KUBEBUILDER_ASSETS; without them they are left out.
--kymas says how large the fleet of the measure of that name is: 200, or 5000 as the budgets have it;
--copied, how many of them are copies of a ready one: all others begin from nothing, which takes more than a second of CPU each.
`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "boolean", default: false },
    charts: { type: "string" },
    kymas: { type: "string", default: "200" },
    copied: { type: "string", default: "0" },
    strict: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function run(measure: Measure): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), `reveille-bench-${measure.name}-`));
  const ends: (() => Promise<void> | void)[] = [];
  try {
    return await measure.run({
      folder,
      kymas: Number(values.kymas),
      copied: Number(values.copied),
      after: (end) => ends.push(end),
    });
  } finally {
    for (const end of ends.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const only = values.only?.split(",");
const unknown = only?.filter((name) => !measures.some((measure) => measure.name === name)) ?? [];
if (values.help) process.stdout.write(usage);
else if (!/^[1-9]\d*$/.test(values.kymas)) {
  process.stderr.write(`--kymas is a number of Kymas, not ${values.kymas}.\n\n${usage}`);
  process.exitCode = 2;
} else if (!/^\d+$/.test(values.copied) || Number(values.copied) >= Number(values.kymas)) {
  process.stderr.write(
    `--copied is a number of Kymas below ${values.kymas}, not ${values.copied}.\n\n${usage}`,
  );
  process.exitCode = 2;
} else if (unknown.length > 0) {
  process.stderr.write(`No measure is called ${unknown.join(", ")}.\n\n${usage}`);
  process.exitCode = 2;
} else {
  const figures: Figure[] = [];
  // The engine's own timers keep no program alive.
  const awake = setInterval(() => undefined, 60_000);
  for (const measure of measures.filter(({ name }) => only?.includes(name) ?? true)) {
    const missing = measure.missing?.();
    if (missing !== undefined) {
      process.stderr.write(`${measure.name} is left out: ${missing}\n`);
      continue;
    }
    process.stderr.write(`${measure.name} …\n`);
    try {
      figures.push(...(await run(measure)));
    } catch (thrown) {
      process.stderr.write(`${measure.name} broke: ${messageOf(thrown)}\n`);
      process.exitCode = 1;
    }
  }
  clearInterval(awake);
  process.stdout.write(`${values.json ? JSON.stringify(figures, null, 2) : table(figures)}\n`);
  if (values.charts !== undefined) {
    mkdirSync(values.charts, { recursive: true });
    for (const [name, text] of charts(figures)) writeFileSync(join(values.charts, name), text);
  }
  if (values.strict && figures.some(({ ok }) => !ok)) process.exitCode = 1;
}
