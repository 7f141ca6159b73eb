// The engine knows no system: neither the name of a folder of `functions/` in any spelling, nor an API group, a kind of two words
// or a short name (before a slash) of a system, nor an import of one stands in `shared/` or `infra/`, comments, help texts and tests
// included. A test that needs kinds takes those of `infra/testing/toy-system.ts`; what crosses systems lies in `test/`.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
/** The files that are made from the systems, and those that measure them by name. */
const EXCEPTED = [/^infra\/(bench|soak)\//, /\/generated\//, /^infra\/deploy\/chart\/values\.schema\.json$/];
/** The engine's own group, which systems use as well. */
const OWN_GROUP = "reveille.dev";
/** The group by which Cluster API asks hooks: the engine speaks it as it speaks that of admissions, whichever system answers. */
const SPOKEN_GROUP = "runtime.cluster.x-k8s.io";

const systems = readdirSync(join(root, "functions"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, "functions", entry.name, "index.ts")))
  .map(({ name }) => name);

/** `two-words` is also TwoWords, two_words and "two words". */
const spellings = systems.map((name) => new RegExp(name.split("-").join("[-_ ]?"), "i"));

const declared = globSync("functions/*/kinds/**/*.ts", { cwd: root }).map((file) =>
  readFileSync(join(root, file), "utf8"),
);
const found = (pattern: RegExp): readonly string[] =>
  declared.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
const groups = new Set(found(/\bgroup: "([^"]+)"/g).filter((group) => group !== OWN_GROUP));
const kinds = new Set(found(/\bkind: "([A-Z][a-z]+[A-Z]\w*)"/g));
const shortNames = new Set(
  found(/\bshortNames: \[([^\]]*)\]/g).flatMap((list) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name),
  ),
);
const words = new RegExp(`\\b(${[...kinds].join("|")})\\b|(?<![\\w./-])(${[...shortNames].join("|")})/\\w`);

const faults = globSync("{shared,infra}/**/*.{ts,yaml,yml,json,tpl,md,txt}", { cwd: root })
  .filter((file) => !EXCEPTED.some((pattern) => pattern.test(file)))
  .flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((text, index) => {
        const line = text.replaceAll(SPOKEN_GROUP, "");
        const name =
          spellings.map((pattern) => pattern.exec(line)?.[0]).find((word) => word !== undefined) ??
          [...groups].find((group) => line.includes(group)) ??
          words.exec(line)?.[0];
        return name === undefined ? [] : [`${file}:${index + 1} names ${name}, which is a system's`];
      }),
  );

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `${systems.length} systems, ${groups.size} API groups and ${kinds.size} kinds of theirs, ${faults.length} faults\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
