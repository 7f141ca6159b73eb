// Writes what of the deployments follows from the declarations; with `--check` only tells what is out of date.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { oneChange } from "../pictures/one-change.ts";
import { createLoader } from "../systems/load.ts";
import { isDeployed } from "./aws/bundles.ts";
import { generatedAwsFiles } from "./aws/generated.ts";
import { withSettings } from "./chart-schema.ts";
import { generatedFiles } from "./generated.ts";
import { pluginsOf } from "./plugins.ts";

const check = process.argv.includes("--check");
// The chart has a choice of systems, the AWS deployment none.
const { systems } = await createLoader({ own: true }).load();
const SCHEMA = "values.schema.json";
const schema = readFileSync(join(import.meta.dirname, "chart", SCHEMA), "utf8");
// A chart reads no file beside its own.
const root = join(import.meta.dirname, "../..");
const alerts = ["infra/deploy/alerts.yaml", ...globSync("functions/*/alerts.yaml", { cwd: root })].map(
  (file): [string, string] => [
    `generated/alerts/${file === "infra/deploy/alerts.yaml" ? "reveille" : basename(dirname(file))}.yaml`,
    readFileSync(join(root, file), "utf8"),
  ],
);
const deployments = {
  chart: new Map([...generatedFiles(systems), ...alerts, [SCHEMA, withSettings(schema, systems)]]),
  aws: generatedAwsFiles(systems.filter(isDeployed)),
};
const plugins = await pluginsOf(readFileSync(join(root, "package.json"), "utf8"));
/** Single files by their place from here: pictures of the pages, programs of the package. */
const pictures = new Map([
  ["../../docs/pictures/one-change.svg", oneChange()],
  ...[...plugins].map(([file, text]) => [`../../${file}`, text] as const),
]);
let count = 0;
let outdated = 0;
for (const [file, content] of pictures) {
  const path = join(import.meta.dirname, file);
  count += 1;
  if (existsSync(path) && readFileSync(path, "utf8") === content) continue;
  outdated += 1;
  if (check) process.stderr.write(`${relative(root, path)} is out of date: run \`npm run generate\`\n`);
  else writeFileSync(path, content);
}
for (const [name, wanted] of Object.entries(deployments)) {
  const folder = join(import.meta.dirname, name);
  const present = new Map(
    globSync(["generated/**/*.{yaml,yml,json}", SCHEMA], { cwd: folder }).map((file) => [
      file,
      readFileSync(join(folder, file), "utf8"),
    ]),
  );
  count += wanted.size;
  for (const file of new Set([...wanted.keys(), ...present.keys()])) {
    const content = wanted.get(file);
    if (content === present.get(file)) continue;
    outdated++;
    const path = join(folder, file);
    if (check)
      process.stderr.write(`infra/deploy/${name}/${file} is out of date: run \`npm run generate\`\n`);
    else if (content === undefined) rmSync(path);
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  }
}
process.stdout.write(`${count} generated files, ${outdated} ${check ? "out of date" : "written"}\n`);
if (check && outdated > 0) process.exitCode = 1;
