import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

it("locks every package that another names, those of other platforms included", () => {
  const lock = readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, Locked>> };
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      )
      .map((name) => `${path || "the root"} names ${name}`),
  );
  // npm ci refuses such a lock file, also for a platform that is not the reader's.
  assert.deepEqual(missing, []);
});
