import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { buildLambda, exportedSystems, isDeployed } from "../../infra/deploy/aws/bundles.ts";
import { unitsOf } from "../../infra/deploy/aws/units.ts";

test("each Lambda of a system that must be named is within its size too, and can be imported", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-named-bundles-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const named = (await exportedSystems()).filter(({ system }) => !isDeployed(system));
  assert.ok(named.length > 0);
  for (const one of named)
    for (const unit of unitsOf([one.system])) {
      const place = join(folder, `${one.system.name}-${unit.name}`, "index.mjs");
      const { file, bytes, later } = await buildLambda(unit, [one], place);
      t.annotate(`${unit.name}: ${Math.round(bytes / 1000)} kB, and later ${Math.round(later / 1000)}`);
      assert.ok(bytes <= 1_000_000, `${unit.name} has ${bytes} bytes: look at what it imports`);
      const { handler } = (await import(pathToFileURL(file).href)) as { readonly handler: unknown };
      assert.equal(typeof handler, "function");
    }
});
