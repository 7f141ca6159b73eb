import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { factAt, factsOf, isFactDigest } from "./facts.ts";
import { withLabels } from "./kind.ts";
import { Pod } from "./kinds/index.ts";

const at = (value: unknown): unknown => factAt({ spec: { value } }, ["spec", "value"]);

describe("facts", () => {
  it("are told as they are up to 1024 bytes of their JSON, and as a digest beyond", () => {
    for (const fact of ["x".repeat(1022), "é".repeat(511), { a: "x".repeat(1016) }, 5, null, true])
      assert.deepEqual(at(fact), fact);
    for (const fact of ["x".repeat(1023), "é".repeat(512), "\u0001".repeat(171), { a: "x".repeat(1017) }])
      assert.ok(isFactDigest(at(fact)), JSON.stringify(fact).slice(0, 20));
  });
  it("have one digest for equal values and another for others", () => {
    const long = "x".repeat(2_000);
    assert.deepEqual(at({ a: long, b: 1 }), at({ b: 1, a: long }));
    assert.notDeepEqual(at({ a: long, b: 1 }), at({ a: long, b: 2 }));
    assert.deepEqual(Object.keys(at(long) as object), ["reveille.dev/digest", "bytes"]);
  });
  it("are told however deep they are nested", () => {
    const deep = JSON.parse(`${"[".repeat(9_900)}${"]".repeat(9_900)}`) as unknown;
    assert.ok(isFactDigest(at(deep)));
  });
  it("of a kind that others declared may be labels too, and its own stay", () => {
    class GardenPod extends withLabels(Pod, { garden: "example.org/garden" }) {}
    const pod = { metadata: { labels: { "example.org/garden": "north" } }, status: { phase: "Running" } };
    assert.deepEqual(factsOf(GardenPod.facts, pod), { garden: "north", phase: "Running" });
    assert.deepEqual(factsOf(Pod.facts, pod), { phase: "Running" });
    assert.deepEqual([GardenPod.id, GardenPod.plural, GardenPod.ready], [Pod.id, Pod.plural, Pod.ready]);
  });
  it("are absent where the object has none", () => {
    assert.deepEqual(factsOf({ a: ["spec", "a"], b: ["spec", "b"] }, { spec: { a: 1 } }), { a: 1 });
  });
});
