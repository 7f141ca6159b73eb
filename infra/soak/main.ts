// `npm run soak -- --hours H`: the whole thing across processes for as long as asked. The exit code is 0 where nothing was
// missed, stale or doubled. `npm run soak -- --faults` makes the trials of test/faults with outages of ten minutes, or of
// `--minutes M`, instead; with `--outages` nothing but the outages.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../shared/errors.ts";
import { runFaultTrials } from "../faults/trials.ts";
import { reportText } from "./report.ts";
import { soak } from "./soak.ts";
import { embeddedSoakBus, natsSoakBus } from "./soak-bus.ts";

const OUTAGE_SECONDS = 600;

const USAGE =
  "usage: npm run soak -- [--hours H] [--minutes M] [--seed N] [--bus nats|embedded] [--json]\n       npm run soak -- --faults|--outages [--minutes M]\n";
const wrong = (message: string): never => {
  process.stderr.write(`${message}\n${USAGE}`);
  process.exit(2);
};

const flags = {
  options: {
    hours: { type: "string" },
    minutes: { type: "string" },
    seed: { type: "string" },
    bus: { type: "string", default: "nats" },
    faults: { type: "boolean", default: false },
    outages: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
} as const;
const parsed = (() => {
  try {
    return parseArgs(flags);
  } catch (thrown) {
    return wrong(messageOf(thrown));
  }
})();
const { values } = parsed;
const seconds =
  Number(values.hours ?? 0) * 3600 + Number(values.minutes ?? (values.hours === undefined ? 2 : 0)) * 60;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(seconds > 0)) wrong("--hours and --minutes are numbers, together more than 0.");
if (!Number.isInteger(seed)) wrong(`--seed is a whole number, not ${values.seed}.`);
if (!["nats", "embedded"].includes(values.bus)) wrong(`--bus is nats or embedded, not ${values.bus}.`);
if (values.help) process.stdout.write(USAGE);
else if (values.faults || values.outages) {
  const { status, text } = runFaultTrials({
    outageSeconds: values.minutes === undefined ? OUTAGE_SECONDS : seconds,
    outagesOnly: values.outages,
  });
  process.stdout.write(`${text}\n`);
  process.exitCode = status;
} else {
  const folder = mkdtempSync(join(tmpdir(), "reveille-soak-"));
  process.stderr.write(`seed ${seed}, ${seconds} s; settings and logs lie in ${folder}\n`);
  const bus = values.bus === "nats" ? await natsSoakBus() : embeddedSoakBus(folder);
  const report = await soak({ bus, seconds, seed, folder });
  process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
  if (report.missed.length + report.stale.length + report.findings.length > 0) process.exitCode = 1;
}
