import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { buildLambdas } from "../../infra/deploy/aws/bundles.ts";
import { unitsOf } from "../../infra/deploy/aws/units.ts";

test("each Lambda is one module within a megabyte, whose import asks for nothing", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-bundles-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const built = await buildLambdas(folder);
  assert.deepEqual(
    built.map(({ name }) => name),
    unitsOf([sonataflow]).map(({ name }) => name),
  );
  for (const { name, file, bytes } of built) {
    assert.equal(readFileSync(file).length, bytes);
    assert.ok(bytes <= 1_000_000, `${name} has ${bytes} bytes: look at what it imports`);
  }
  // Without settings or a role the import is well all the same: only an invocation reads them.
  const [first] = built;
  const { handler } = (await import(pathToFileURL(first?.file ?? "").href)) as {
    readonly handler: (event: unknown, context: unknown) => Promise<unknown>;
  };
  await assert.rejects(
    handler({}, { getRemainingTimeInMillis: () => 1000 }),
    /workQueue, timerQueue and table|bus\.sqs/,
  );
});
