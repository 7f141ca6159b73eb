import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { buildLambda, exportedSystems, isDeployed } from "../../infra/deploy/aws/bundles.ts";
import { unitsOf } from "../../infra/deploy/aws/units.ts";

/** A renderer of charts, its regular expressions and the conditions of stages take more than the megabyte of all others. */
const RENDERS_BYTES = 1_150_000;
const RENDERERS = new Set(["cluster-addons", "cluster-stack-releases"]);

test("each Lambda of a system that must be named is within its size too, and can be imported", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-named-bundles-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const named = (await exportedSystems()).filter(({ system }) => !isDeployed(system));
  assert.ok(named.length > 0);
  for (const one of named)
    for (const unit of unitsOf([one.system])) {
      const { file, bytes } = await buildLambda(unit, [one], join(folder, `${unit.name}.mjs`));
      t.annotate(`${unit.name}: ${Math.round(bytes / 1000)} kB`);
      const most = RENDERERS.has(unit.name) ? RENDERS_BYTES : 1_000_000;
      assert.ok(bytes <= most, `${unit.name} has ${bytes} bytes: look at what it imports`);
      const { handler } = (await import(pathToFileURL(file).href)) as { readonly handler: unknown };
      assert.equal(typeof handler, "function");
    }
});
