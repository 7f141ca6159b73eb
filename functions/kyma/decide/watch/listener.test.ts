import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ProvenDelivery } from "../../../../shared/function/index.ts";
import { listener } from "./index.ts";

const gvk = { group: "operator.kyma-project.io", version: "v1beta2", kind: "Kyma" };

describe("the listener", () => {
  const read = (body: unknown, over: Partial<ProvenDelivery> = {}) =>
    listener.read({
      commonName: "rt-1",
      path: { contract: "v2", manager: "lifecycle-manager" },
      body,
      id: "of-its-own",
      ...over,
    });
  const event = (body: unknown) => {
    const reading = read(body);
    assert.ok("notices" in reading, JSON.stringify(reading));
    return reading.notices[0]?.event;
  };
  it("makes an event of what upstream's program sends", () => {
    assert.deepEqual(
      event({ watched: { Namespace: "kyma-system", Name: "default" }, watchedGvk: gvk, more: 1 }),
      {
        id: "runtime.changed/rt-1/of-its-own",
        type: "runtime.changed",
        subject: "runtime/rt-1",
        data: {
          runtimeId: "rt-1",
          delivery: "of-its-own",
          watched: { ...gvk, namespace: "kyma-system", name: "default" },
        },
      },
    );
  });
  it("takes a delivery that comes twice for one, and a sign of life for no change", () => {
    assert.equal(event({ delivery: "p 1" })?.id, "runtime.changed/rt-1/p_1");
    assert.deepEqual(event({ delivery: "p 1" }), event({ delivery: "p 1" }));
    assert.equal(event({ beat: true, delivery: "p 2" })?.type, "runtime.beat");
    assert.equal(event({})?.type, "runtime.changed", "a hint without words");
  });
  it("says what is wrong", () => {
    for (const [body, over] of [
      [{}, { path: { contract: "v1", manager: "m" } }],
      [{}, { path: { contract: "", manager: "m" } }],
      [{}, { path: { contract: "v2", manager: "" } }],
      [{}, { commonName: "x".repeat(257) }],
      [null, {}],
      [[], {}],
      [{ watched: "default" }, {}],
      [{ watched: { Name: "x".repeat(257) } }, {}],
      [{ delivery: 1 }, {}],
    ] as const)
      assert.ok("issues" in read(body, over), JSON.stringify([body, over]));
  });
});
