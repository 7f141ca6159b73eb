// `npm run package:aws`, `npm run deploy:aws`: refuses what could only fail in AWS, bundles the Lambdas, and runs osls.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { System } from "../../../shared/function/system.ts";
import { faultText, SettingsError } from "../../settings/index.ts";
import { deployedSystems, SYSTEMS } from "./bundles.ts";
import { deploymentFaults, deploymentOf } from "./deployment.ts";
import { GENERATED } from "./functions.ts";
import { generatedAwsFiles } from "./generated.ts";
import { notesOf } from "./notes.ts";

const root = join(import.meta.dirname, "../../..");
/** The folder of what is generated for systems that were named, from the root. */
const NAMED = "build/aws";
const OSLS = join(root, "build/osls/node_modules/osls/bin/serverless.js");

async function main(words: readonly string[]): Promise<number> {
  const text = readFileSync(join(root, "serverless.yml"), "utf8");
  const faults = await faultsOf(words, text);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) return 1;
  const systems = await deployedSystems();
  for (const note of notesOf(systems)) process.stderr.write(`note: ${note}\n`);
  const env = { ...process.env, ...((process.env[SYSTEMS] ?? "") !== "" && generatedFor(systems)) };
  const run = (file: string, ...more: readonly string[]): number =>
    spawnSync(process.execPath, [file, ...more], { cwd: root, stdio: "inherit", env }).status ?? 1;
  return run(join(import.meta.dirname, "build.ts")) || run(OSLS, ...words);
}

/** Writes the files that serverless.yml includes for systems that were named, and says in the environment where they lie. */
function generatedFor(systems: readonly System[]): NodeJS.ProcessEnv {
  for (const [name, text] of generatedAwsFiles(systems)) {
    const file = join(root, NAMED, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { [GENERATED]: `./${NAMED}/generated` };
}

async function faultsOf(words: readonly string[], text: string): Promise<readonly string[]> {
  try {
    return await deploymentFaults(
      deploymentOf(words.slice(1), text),
      text,
      process.env,
      await deployedSystems(),
    );
  } catch (thrown) {
    if (thrown instanceof SettingsError) return thrown.faults.map(faultText);
    throw thrown;
  }
}

process.exitCode = await main(process.argv.slice(2));
