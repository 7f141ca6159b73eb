// Writes what of the chart follows from the declarations; with `--check` only tells what is out of date.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLoader } from "../cli/systems.ts";
import { generatedFiles } from "./generated.ts";

const chart = join(import.meta.dirname, "chart");
const check = process.argv.includes("--check");
const wanted = generatedFiles((await createLoader({}).load()).systems);
const present = new Map(
  globSync("generated/**/*.{yaml,json}", { cwd: chart }).map((file) => [
    file,
    readFileSync(join(chart, file), "utf8"),
  ]),
);
const outdated = [...new Set([...wanted.keys(), ...present.keys()])].filter(
  (file) => wanted.get(file) !== present.get(file),
);
for (const file of outdated) {
  const content = wanted.get(file);
  const path = join(chart, file);
  if (check) process.stderr.write(`infra/deploy/chart/${file} is out of date: run \`npm run generate\`\n`);
  else if (content === undefined) rmSync(path);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
process.stdout.write(
  `${wanted.size} generated files, ${outdated.length} ${check ? "out of date" : "written"}\n`,
);
if (check && outdated.length > 0) process.exitCode = 1;
