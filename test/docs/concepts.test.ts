import assert from "node:assert/strict";
import { it } from "vitest";
import { outlineOf, settingsSchema } from "../../infra/settings/index.ts";
import { textOf } from "./pages.ts";

it("docs/concepts.md names every bus that the settings offer, and every host", () => {
  const page = textOf("docs/concepts.md");
  const rowOf = (word: string): string =>
    page.split("\n").find((line) => line.startsWith(`| ${word} |`)) ?? assert.fail(word);
  const kind = outlineOf(settingsSchema([])).find(({ path }) => path.join(".") === "bus.kind");
  assert.ok(kind?.choices !== undefined && kind.choices.length > 0);
  for (const bus of kind.choices) assert.match(rowOf("bus"), new RegExp(bus, "i"));
  for (const host of ["dev", "watcher", "worker", "serve", "Lambda"])
    assert.match(rowOf("host"), new RegExp(host));
});
