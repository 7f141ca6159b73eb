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
  "node_modules/argparse": "PSF-2.0", // permissive; comes with js-yaml, which @kubernetes/client-node needs
};

const root = join(import.meta.dirname, "../..");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** An SPDX expression is allowed where one of its alternatives is. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((one) => ALLOWED.has(one.trim())));

const faults = Object.entries(lock.packages).flatMap(([path, locked]) => {
  if (path === "") return [];
  const manifest = join(root, path, "package.json");
  const installed = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, "utf8")) as { readonly license?: string }).license
    : undefined;
  const licence = locked.license ?? installed;
  const problems = [];
  if (licence === undefined || !(isAllowed(licence) || EXCEPTIONS[path] === licence))
    problems.push(`${path}: licence ${licence ?? "unknown"} is not among ${[...ALLOWED].join(", ")}`);
  if (locked.resolved !== undefined) problems.push(`${path}: the lock file holds a download address`);
  return problems;
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${Object.keys(lock.packages).length - 1} packages, ${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
