import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { OciLayout } from "./layout.ts";

const digest = `sha256:${"a".repeat(64)}`;
const good = { mediaType: "application/vnd.oci.image.manifest.v1+json", digest, size: 7 };

/** A layout whose index.json is this text. */
function layout(text: string): OciLayout {
  const folder = mkdtempSync(join(tmpdir(), "reveille-layout-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "index.json"), text);
  return new OciLayout(folder);
}

it("passes over entries of its index that it cannot read, and takes null for absent", async () => {
  const odd = [
    { digest: `sha512:${"b".repeat(128)}`, size: 1 },
    { ...good, platform: {} },
    null,
    7,
    { size: 1 },
  ];
  const manifests = [...odd, { ...good, annotations: null }];
  assert.deepEqual(await layout(JSON.stringify({ manifests })).manifests(), [good]);
  assert.deepEqual(await layout(`\uFEFF${JSON.stringify({ manifests: [good] })}`).manifests(), [good]);
});
it("refuses what is no index", async () => {
  for (const text of ["", "{", "[]", '{"manifests": {}}'])
    await assert.rejects(layout(text).manifests(), {
      code: "OCI_ANSWER_INVALID",
      message: /no list of manifests/,
    });
});
