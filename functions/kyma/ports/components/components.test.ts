import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { componentsOf, layoutBlobs, memoryComponents } from "./adapters/index.ts";
import { testLayout } from "./test-layout.ts";
import { componentsSuite } from "./test-suite.ts";

componentsSuite("memory", async () => {
  const components = memoryComponents();
  return { components, put: components.put };
});

componentsSuite("an OCI layout", async () => {
  const { folder, put, stop } = await testLayout();
  return {
    components: componentsOf(layoutBlobs(folder)),
    put: async (component) => {
      await put(component);
    },
    stop,
  };
});

describe("an OCI layout of components", () => {
  const ALPHA = { name: "acme.com/alpha", version: "1.0.0", layer: "kind: One\n" } as const;

  test("that is not there says nothing about components", async () => {
    const answer = await componentsOf(layoutBlobs("/nowhere")).describe("acme.com/alpha", "1.0.0");
    assert.deepEqual(
      [answer.state, "message" in answer && /index\.json cannot be read/.test(answer.message)],
      ["failed", true],
    );
  });

  test("with a blob that was changed is refused", async (t) => {
    const layout = await testLayout();
    t.onTestFinished(layout.stop);
    const { ref } = await layout.put(ALPHA);
    const components = componentsOf(layoutBlobs(layout.folder));
    await writeFile(join(layout.folder, "blobs", ref.replace(":", "/")), "kind: Two\n");
    const described = await components.describe(ALPHA.name, ALPHA.version);
    assert.equal(described.state, "described");
    const layer = await components.layer(
      described.state === "described" ? described.component.source : assert.fail(),
    );
    assert.match(layer.state === "faulty" ? layer.message : layer.state, /not what its digest says/);
  });
});

describe("an artifact's reference", () => {
  test("that is no digest leads nowhere", async (t) => {
    const layout = await testLayout();
    t.onTestFinished(layout.stop);
    const source = { type: "oci-ref", repo: "x", name: "acme.com/alpha", ref: "../../oci-layout" } as const;
    const layer = await componentsOf(layoutBlobs(layout.folder)).layer(source);
    assert.equal(layer.state, "absent");
  });
});

test("the components of the samples can be read, and what they bring", async () => {
  const folder = join(import.meta.dirname, "../../samples/components");
  const components = componentsOf(layoutBlobs(folder));
  const described = await components.describe("example.org/modules/greeter", "1.0.0");
  const source =
    described.state === "described" ? described.component.source : assert.fail(described.message);
  const layer = await components.layer(source);
  const documents = layer.state === "read" ? layer.documents : assert.fail(layer.message);
  assert.deepEqual(
    documents.map((one) => (one as { kind: string }).kind),
    ["Namespace", "ConfigMap", "Deployment"],
  );
});
