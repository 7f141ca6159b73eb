import assert from "node:assert/strict";
import { it } from "vitest";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { present } from "./index.ts";

it("a definition of an API version that Kubernetes dropped has a schema whose every part has a type", () => {
  const definition = (spec: Readonly<Record<string, unknown>>): KubeObject => ({
    apiVersion: "apiextensions.k8s.io/v1beta1",
    kind: "CustomResourceDefinition",
    metadata: { name: "one" },
    spec: { version: "v1", ...spec },
  });
  const schemaOf = (spec: Readonly<Record<string, unknown>>): unknown => {
    const now = present(definition(spec));
    assert(now !== undefined && "object" in now);
    const { versions } = now.object.spec as { versions: { schema: { openAPIV3Schema: unknown } }[] };
    return versions[0]?.schema.openAPIV3Schema;
  };
  const validation = {
    openAPIV3Schema: {
      properties: {
        metadata: { properties: { name: { type: "string" } } },
        spec: {
          properties: {
            port: { anyOf: [{ type: "string" }, { type: "integer" }], description: "either" },
            any: {},
            list: { items: { additionalProperties: { type: "string" } } },
          },
        },
      },
    },
  };
  const keeps = { "x-kubernetes-preserve-unknown-fields": true };
  const schema = (kept: object) => ({
    type: "object",
    ...kept,
    properties: {
      metadata: { type: "object" },
      spec: {
        type: "object",
        ...kept,
        properties: {
          port: { description: "either", "x-kubernetes-int-or-string": true },
          any: keeps,
          list: {
            type: "array",
            items: { type: "object", additionalProperties: { type: "string" } },
          },
        },
      },
    },
  });
  assert.deepEqual(schemaOf({ validation }), schema(keeps));
  assert.deepEqual(schemaOf({ validation, preserveUnknownFields: false }), schema({}));
});
