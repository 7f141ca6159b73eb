import assert from "node:assert/strict";
import { it } from "vitest";
import { contextOf } from "./context.ts";
import { renderObjects } from "./render.ts";

it.each([
  ["v1", "ConfigMap", "data", { key: "", other: "x" }],
  ["v1", "Secret", "data", { key: "", other: "x" }],
  ["v1", "Secret", "stringData", { key: "", other: "x" }],
  ["v1", "ConfigMap", "immutable", { key: null, other: "x" }],
  ["example.org/v1", "ConfigMap", "data", { key: null, other: "x" }],
] as const)(
  "reads what an empty parameter leaves in a %s %s under %s",
  (apiVersion, kind, field, expected) => {
    const version = {
      metadata: { name: "v" },
      spec: {
        parameters: [{ name: "EXTRA", default: "" }],
        templates: {
          "one.yaml": `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: one}\n${field}: {key: {{ .Params.EXTRA }}, other: x}\n`,
        },
      },
    };
    const place = { instance: "db", namespace: "shop", plan: "deploy", phase: "main", step: "s" };
    const rendered = renderObjects(version, ["one.yaml"], contextOf(version, {}, place, {}));
    assert.ok("value" in rendered);
    assert.deepEqual(rendered.value[0]?.object[field], expected);
  },
);
