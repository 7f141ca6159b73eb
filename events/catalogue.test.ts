import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { catalogue, parseEvent } from "./catalogue.ts";

const samples = join(import.meta.dirname, "samples");
const sample = (type: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(samples, `${type.replace(".", "-")}.json`), "utf8"));

test("there is one sample for each type, and no other file", () => {
  const wanted = [...catalogue.keys()].map((type) => `${type.replace(".", "-")}.json`).sort();
  const files = readdirSync(samples, { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.deepEqual(files.map(({ name }) => name).sort(), wanted);
});

for (const type of catalogue.keys())
  test(`the sample of ${type} is of that type and parses unchanged`, () => {
    const input = sample(type);
    assert.equal(input.type, type);
    const parsed = parseEvent(input);
    assert.deepEqual(parsed, { ok: true, event: input });
  });

test("a fault is named with its path", () => {
  const input = sample("resource.changed");
  const ref = { ...((input.data as { ref: object }).ref as object), name: 7 };
  const parsed = parseEvent({ ...input, data: { ...(input.data as object), ref } });
  assert.deepEqual(parsed, { ok: false, issues: ["data.ref.name: expected string, received number"] });
});

test("a fault of the envelope is named with its path", () => {
  const { id: _, ...input } = sample("timer.due");
  assert.deepEqual(parseEvent(input), { ok: false, issues: ["id: expected string, received undefined"] });
});

test("an unknown type is refused, and the known ones are named", () => {
  const parsed = parseEvent({ ...sample("timer.due"), type: "resource.chnaged" });
  assert.ok(!parsed.ok);
  assert.match(parsed.issues[0] ?? "", /^type: resource\.chnaged is unknown; known are .*resource\.changed/);
});

test("what is no object is refused", () => {
  for (const input of [undefined, null, "x", [], 7]) assert.ok(!parseEvent(input).ok);
});

for (const [type, definition] of catalogue) {
  if (!type.startsWith("command.") || type === "command.outcome") continue;
  test(`a field that ${type} does not have is refused, and the one that was meant is named`, () => {
    const input = sample(type);
    const wrong = { ...input, data: { ...(input.data as object), reasn: "x", nothing: 1 } };
    const parsed = parseEvent(wrong);
    assert.ok(!parsed.ok);
    assert.deepEqual(
      parsed.issues.map((issue) => issue.replace(/there are .*/, "there are …")),
      ["data.reasn: is unknown; did you mean reason?", "data.nothing: is unknown; there are …"],
    );
    assert.equal(definition.data.safeParse(wrong.data).success, false);
  });
}

test("a misspelt field of a command's object is refused", () => {
  const input = sample("command.pause");
  const object = { group: "apps", kind: "Deployment", namespce: "a", name: "b" };
  assert.deepEqual(parseEvent({ ...input, data: { object, askedBy: "alice" } }), {
    ok: false,
    issues: ["data.object.namespce: is unknown; did you mean namespace?"],
  });
});
