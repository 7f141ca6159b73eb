import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { ANNOTATIONS, LABELS } from "../../kinds/index.ts";
import { decided, NOW, type World } from "./test-pass.ts";

const ALONE =
  /Its Manifest rt-1-alpha-\d+ is left alone until its label operator\.kyma-project\.io\/skip-reconciliation is taken off\.$/;
const labelled = (metadata: object = {}) => ({
  metadata: {
    annotations: { [ANNOTATIONS.syncedArtifact]: "sha256:1.0.0" },
    labels: { [LABELS.moduleName]: "alpha", [LABELS.skipReconciliation]: "true" },
    ...metadata,
  },
});

describe("a module whose Manifest a label leaves alone", () => {
  test.each<[string, World, string]>([
    ["as it is", { version: "1.0.0" }, "Ready"],
    ["though another version is wanted", { version: "1.1.0" }, "Processing"],
    [
      "though it is handed over",
      { version: "1.0.0", modules: [{ name: "alpha", managed: false }] },
      "Processing",
    ],
  ])("says so, %s", async (_, world, state) => {
    const { module } = await decided({ installed: "1.0.0", manifest: labelled(), ...world });
    assert.equal(module?.state, state);
    assert.match(module.message ?? "", ALONE);
  });
  test("goes all the same, and says nothing of it then", async () => {
    const manifest = labelled({ deletionTimestamp: NOW });
    const { module } = await decided({ version: "1.0.0", installed: "1.0.0", modules: [], manifest });
    assert.equal(module?.state, "Deleting");
    assert.doesNotMatch(module.message ?? "", ALONE);
  });
});
