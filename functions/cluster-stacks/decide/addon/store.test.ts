import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { addonMark, marked, type RenderedObject } from "../apply/index.ts";
import { keptRendering, packedRendering, partName } from "./store.ts";

const mark = addonMark({ metadata: { namespace: "team", name: "cluster-addon-demo" } });
/** Text that gzip makes hardly smaller. */
const noise = (length: number): string => {
  let [text, state] = ["", 7];
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += state.toString(36);
  }
  return text;
};
const rendered = (name: string, data: string): RenderedObject => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { data } };
  return {
    object: marked(object, "kube-system", mark),
    resource: { group: "", version: "v1", kind: "ConfigMap", namespace: "kube-system", name },
  };
};
const objects = [rendered("a", noise(3_000)), rendered("b", "short")];

describe("a rendering that is kept", () => {
  test("comes back as it was, from as many parts as it needs", async () => {
    const packed = packedRendering("cluster-addon-demo", 2, objects, 500);
    assert.ok(packed.parts.length > 3);
    assert.deepEqual(packed.parts.map(({ metadata }) => metadata.name).slice(0, 2), [
      "cluster-addon-demo-rendered-2",
      "cluster-addon-demo-rendered-2-1",
    ]);
    assert.equal(packed.parts[1]?.metadata.name, partName("cluster-addon-demo", 2, 1));
    assert.deepEqual(await keptRendering(packed.rendered, async (part) => packed.parts[part]), objects);
  });
  test("is of one name for one content", () => {
    const name = packedRendering("x", 0, objects).rendered;
    assert.equal(packedRendering("y", 1, objects).rendered, name);
    assert.notEqual(packedRendering("x", 0, objects.slice(1)).rendered, name);
  });
  test("is none where a part is missing, is another, or no rendering at all", async () => {
    const packed = packedRendering("x", 0, objects, 500);
    const [first, ...rest] = packed.parts;
    assert.ok(first);
    const broken = { ...first, data: { "objects.json.gz": Buffer.from("no gzip").toString("base64") } };
    for (const parts of [
      [],
      [first],
      [broken, ...rest],
      [{ ...first, metadata: { annotations: {} } }, ...rest],
    ])
      assert.equal(await keptRendering(packed.rendered, async (part) => parts[part]), undefined);
    assert.equal(await keptRendering("sha256:other", async (part) => packed.parts[part]), undefined);
  });
});
