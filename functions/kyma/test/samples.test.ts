import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { catalogIn, lintCatalog } from "../commands/lint.ts";
import { configuredComponents } from "../ports/components/adapters/index.ts";
import { registrySettings } from "../ports/components/index.ts";
import { packSamples, SAMPLE_COMPONENTS } from "./pack-samples.ts";

it("the components of the samples are what their sources make", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "samples-"));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await packSamples(folder);
  const indexIn = async (of: string): Promise<unknown> =>
    JSON.parse(await readFile(join(of, "index.json"), "utf8"));
  const blobsIn = (of: string): Promise<string[]> => readdir(join(of, "blobs/sha256"));
  const renew = "run node functions/kyma/test/pack-samples.ts";
  expect(await indexIn(SAMPLE_COMPONENTS), renew).toEqual(await indexIn(folder));
  assert.deepEqual((await blobsIn(SAMPLE_COMPONENTS)).sort(), (await blobsIn(folder)).sort(), renew);
});

it("nothing is wrong with the modules of the samples", async () => {
  const text = await readFile(join(SAMPLE_COMPONENTS, "../01-catalog.yaml"), "utf8");
  const components = configuredComponents(registrySettings.parse({ folder: SAMPLE_COMPONENTS }));
  const linted = await lintCatalog(catalogIn(text, "01-catalog.yaml"), components);
  assert.deepEqual(
    linted.flatMap(({ findings }) => findings),
    [],
  );
  assert.equal(linted.length, 5);
});
