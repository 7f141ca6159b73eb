import assert from "node:assert/strict";
import { test } from "vitest";
import { sameJson } from "./same-json.ts";

test("a field that is named as the prototype is a field", () => {
  const odd = JSON.parse('{"__proto__": {}}') as unknown;
  assert.equal(sameJson(odd, { replicas: 7 }), false);
  assert.equal(sameJson(odd, JSON.parse('{"__proto__": {}}')), true);
  assert.equal(sameJson({ a: undefined, b: 1 }, { b: 1 }), true);
});
