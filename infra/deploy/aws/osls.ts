// `npm run package:aws`, `npm run deploy:aws`: refuses what could only fail in AWS, bundles the Lambdas, and runs osls.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { faultText, SettingsError } from "../../settings/index.ts";
import { deployedSystems } from "./bundles.ts";
import { deploymentFaults, deploymentOf } from "./deployment.ts";
import { notesOf } from "./notes.ts";

const root = join(import.meta.dirname, "../../..");
const OSLS = join(root, "build/osls/node_modules/osls/bin/serverless.js");

async function main(words: readonly string[]): Promise<number> {
  const text = readFileSync(join(root, "serverless.yml"), "utf8");
  const faults = await faultsOf(words, text);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) return 1;
  for (const note of notesOf(await deployedSystems())) process.stderr.write(`note: ${note}\n`);
  const run = (file: string, ...more: readonly string[]): number =>
    spawnSync(process.execPath, [file, ...more], { cwd: root, stdio: "inherit" }).status ?? 1;
  return run(join(import.meta.dirname, "build.ts")) || run(OSLS, ...words);
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
