import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

const root = join(import.meta.dirname, "../..");
const containerfile = readFileSync(join(root, "infra/deploy/Containerfile"), "utf8");
interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly integrity?: string }>>;
}
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Locked;

test("the image installs from the lock file alone, so that no version is the registry's choice", () => {
  const steps = containerfile.split("\n").filter((line) => !line.startsWith("#"));
  const installing = steps.filter((line) => /\bnpm (ci|i|install|add|update)\b/.test(line));
  assert.equal(installing.length, 2, installing.join("\n"));
  for (const line of installing) assert.match(line, /npm ci .*--ignore-scripts/);
  assert.match(installing[1] ?? "", /--omit=dev/);
  assert.match(containerfile, /package-lock\.json/);
});

test("the lock file names every package of the image with its digest", () => {
  const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  assert.ok(shipped.length > 20);
  for (const [path, { integrity }] of shipped) assert.ok(integrity, path);
});
