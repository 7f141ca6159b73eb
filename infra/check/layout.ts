// Every system has the same plan: what lies in its folder's root, and under which names. So has every bus.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const functions = join(root, "functions");
const REQUIRED = ["index.ts", "system.ts", "README.md", "kinds"];
const FILES = [
  ...REQUIRED,
  "configuration.ts",
  "adapters.ts",
  "commands.ts",
  "metrics.ts",
  "simulate.ts",
  "alerts.yaml",
  "docs.md",
];
const FOLDERS = [
  ...["kinds", "decide", "ports", "commands", "metrics", "simulate", "samples", "wakes", "test"],
  // A library that the package exports under this name.
  "status",
];

const buses = join(root, "shared/bus");
/** The roles that every bus has, each in a file of the same name: who knows one bus finds the way in the others. */
const BUS_FILES = [
  ...[
    "index.ts",
    "bus.ts",
    "options.ts",
    "publisher.ts",
    "consumer.ts",
    "key-runs.ts",
    "leases.ts",
    "store.ts",
  ],
  ...["timers.ts", "dead-letters.ts", "counts.ts", "health.ts"],
];

/** The faults in the plan of one system. */
function faultsOf(system: string): readonly string[] {
  const folder = join(functions, system);
  // Without an index.ts no host knows the folder: a system that is still being built.
  const required = existsSync(join(folder, "index.ts")) ? REQUIRED : [];
  const missing = required
    .filter((name) => !existsSync(join(folder, name)))
    .map((name) => `functions/${system} has no ${name}`);
  const strange = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    const place = `functions/${system}/${name}`;
    if (entry.isDirectory()) return FOLDERS.includes(name) ? [] : [`${place}: no system has such a folder`];
    if (FILES.includes(name)) return [];
    const subject = name.replace(/\.test\.ts$/, ".ts");
    if (subject !== name)
      return existsSync(join(folder, subject)) ? [] : [`${place} tests nothing beside it`];
    return /\.function\(/.test(readFileSync(join(folder, name), "utf8"))
      ? []
      : [`${place} declares no function: what it decides lies in decide/, what it defines in kinds/`];
  });
  // A port that functions use is declared in its port.ts; one of commands alone they bind themselves.
  const declared = globSync("ports/*/port.ts", { cwd: folder }).length > 0;
  const unbound =
    declared && !existsSync(join(folder, "adapters.ts"))
      ? [`functions/${system} has ports and no adapters.ts, which says what stands behind them`]
      : [];
  return [...missing, ...strange, ...unbound];
}

/** The faults in the plan of one bus. */
const faultsOfBus = (bus: string): readonly string[] =>
  BUS_FILES.filter((name) => !existsSync(join(buses, bus, name))).map(
    (name) => `shared/bus/${bus} has no ${name}: every bus keeps that role in a file of this name`,
  );

/** The names of a folder's folders. */
const foldersOf = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const systems = foldersOf(functions);
// Every folder of shared/bus is an adapter; what they share lies beside them.
const adapters = foldersOf(buses);
const faults = [...systems.flatMap(faultsOf), ...adapters.flatMap(faultsOfBus)];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `${systems.length} systems of one plan, ${adapters.length} buses of one plan, ${faults.length} faults\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
