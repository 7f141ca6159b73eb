import assert from "node:assert/strict";
import { it } from "vitest";
import { schemaDifference } from "./schema-diff.ts";

const text = { type: "string" };
const object = (properties: object) => ({ type: "object", properties });

it("names fields that come, go and change, the uppermost of each; descriptions do not count", () => {
  const before = object({
    spec: object({ kept: { ...text, description: "old words" }, gone: object({ inner: text }), other: text }),
  });
  const after = object({
    spec: object({
      kept: { ...text, description: "new words" },
      fresh: { type: "array", items: object({ name: text }) },
      other: { type: "integer" },
    }),
  });
  assert.deepEqual(schemaDifference(before, after), {
    added: ["spec.fresh"],
    removed: ["spec.gone"],
    changed: ["spec.other"],
  });
  assert.deepEqual(schemaDifference(after, after), { added: [], removed: [], changed: [] });
});
