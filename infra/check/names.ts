// The engine knows no system: neither the name of a folder of `functions/` in any spelling, nor an API group of a system's kinds,
// nor an import of one stands in `shared/` or `infra/`, comments and help texts included.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
/** What is made from the systems, what measures them by name, and tests that run the program with what it comes with. */
const EXCEPTED = [
  /^infra\/(bench|soak)\//,
  /\/generated\//,
  /^infra\/deploy\/chart\/values\.schema\.json$/,
  /^infra\/cli\/(dev|program|command)\.test\.ts$/,
  /^infra\/deploy\/aws\/deployment\.test\.ts$/,
];
/** The engine's own group, which systems use as well. */
const OWN_GROUP = "reveille.dev";

const systems = readdirSync(join(root, "functions"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, "functions", entry.name, "index.ts")))
  .map(({ name }) => name);

/** `two-words` is also TwoWords, two_words and "two words". */
const spellings = systems.map((name) => new RegExp(name.split("-").join("[-_ ]?"), "i"));

const groups = new Set(
  globSync("functions/*/kinds/**/*.ts", { cwd: root })
    .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/\bgroup: "([^"]+)"/g)])
    .flatMap(([, group]) => (group === undefined || group === OWN_GROUP ? [] : [group])),
);

const faults = globSync("{shared,infra}/**/*.{ts,yaml,yml,json,tpl,md,txt}", { cwd: root })
  .filter((file) => !EXCEPTED.some((pattern) => pattern.test(file)))
  .flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const found =
          spellings.map((pattern) => pattern.exec(line)?.[0]).find((word) => word !== undefined) ??
          [...groups].find((group) => line.includes(group));
        return found === undefined ? [] : [`${file}:${index + 1} names ${found}, which is a system's`];
      }),
  );

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `${systems.length} systems, ${groups.size} API groups of theirs, ${faults.length} faults\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
