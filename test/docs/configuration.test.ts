import assert from "node:assert/strict";
import { it } from "vitest";
import { outlineOf, settingsSchema, withTables } from "../../infra/settings/index.ts";
import { textOf } from "./pages.ts";

it("docs/configuration.md tells all settings as the schema does", () => {
  const page = textOf("docs/configuration.md");
  assert.equal(
    page,
    withTables(page, outlineOf(settingsSchema([]))),
    "write it anew: node infra/check/configuration-page.ts",
  );
});
