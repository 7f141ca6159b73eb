import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ALLOWED = new Set([
  "Apache-2.0",
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "MIT-0",
]);

interface LockedPackage {
  readonly license?: string;
  readonly optional?: boolean;
  readonly version?: string;
  readonly resolved?: string;
}

/** Permissive licences outside that list, looked at one by one. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "node_modules/stream-buffers": "Unlicense", // public domain; @kubernetes/client-node needs it
  "node_modules/tweetnacl": "Unlicense", // public domain; @nats-io/nkeys signs with it
  "node_modules/argparse": "PSF-2.0 Python-2.0", // permissive, the newer and the older; js-yaml needs it
  "node_modules/@apidevtools/json-schema-ref-parser/node_modules/argparse": "PSF-2.0", // the same
};

const root = join(import.meta.dirname, "../..");
/** Each folder with a lock file. */
const FOLDERS = [".", "infra/deploy/aws/osls", "infra/reference/typedoc"];

/** An SPDX expression is allowed where one of its alternatives is. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((one) => ALLOWED.has(one.trim())));

const lockOf = (folder: string): Readonly<Record<string, LockedPackage>> =>
  (
    JSON.parse(readFileSync(join(root, folder, "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, LockedPackage>>;
    }
  ).packages;

const locked = FOLDERS.flatMap((folder) =>
  Object.entries(lockOf(folder)).map(([path, one]) => ({ folder, path, one })),
).filter(({ path }) => path !== "");

const faults = locked.flatMap(({ folder, path, one }) => {
  const manifest = join(root, folder, path, "package.json");
  const installed = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, "utf8")) as { readonly license?: string }).license
    : undefined;
  const licence = one.license ?? installed;
  const problems = [];
  if (licence === undefined || !(isAllowed(licence) || EXCEPTIONS[path]?.split(" ").includes(licence)))
    problems.push(`${path}: licence ${licence ?? "unknown"} is not among ${[...ALLOWED].join(", ")}`);
  if (one.resolved !== undefined) problems.push(`${path}: the lock file holds a download address`);
  return problems;
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${locked.length} packages, ${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
