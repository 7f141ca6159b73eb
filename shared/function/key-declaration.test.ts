import assert from "node:assert/strict";
import { test } from "vitest";
import { ConfigMap } from "../kube/kinds/index.ts";
import { each } from "./key-declaration.ts";
import { DeclarationError } from "./system.ts";

test("a field that no declaration has is refused by its name, where nobody checked the types", () => {
  const declaration = JSON.parse('{"name": "nap", "applies": []}');
  assert.throws(
    () => each(ConfigMap).function(declaration),
    (error) =>
      error instanceof DeclarationError &&
      error.code === "DECLARATION_FIELD" &&
      error.message.startsWith("nap: a function's declaration has no applies."),
  );
});
