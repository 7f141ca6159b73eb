import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { catalogue } from "../../events/index.ts";
import { tableOf } from "./pages.ts";

it("docs/events.md tells type, meaning and fields as the catalogue does", () => {
  const told = tableOf("docs/events.md", "type", "meaning").map((cells) => cells.slice(0, 3));
  const known = [...catalogue.values()].map(({ type, meaning, data }) => {
    assert.ok(data instanceof z.ZodObject);
    const fields = Object.keys(data.shape).map((field) => `\`${field}\``);
    return [`\`${type}\``, meaning, fields.join(", ")];
  });
  assert.deepEqual(told.toSorted(), known.toSorted());
});
