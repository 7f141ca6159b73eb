import assert from "node:assert/strict";
import { test } from "vitest";
import * as z from "zod";
import { PodSpec } from "./schema/pod-spec.ts";
import { intOrString, keyed, oneOf, quantity, text } from "./schema/words.ts";
import { structuralSchemaOf } from "./structural.ts";
import { NotStructuralError } from "./structural-error.ts";

const cases: readonly [string, z.ZodType, object][] = [
  ["an integer", z.int(), { type: "integer", format: "int64" }],
  [
    "bounds",
    z.int32().min(1).lt(5),
    { type: "integer", format: "int32", minimum: 1, maximum: 5, exclusiveMaximum: true },
  ],
  ["any number", z.number(), { type: "number" }],
  [
    "two patterns",
    z.string().min(2).regex(/^a/).regex(/b$/),
    { type: "string", minLength: 2, pattern: "^a", allOf: [{ pattern: "b$" }] },
  ],
  ["a time", z.iso.datetime(), { type: "string", format: "date-time" }],
  [
    "an enumeration with a default",
    z.enum(["a", "b"]).default("a"),
    { type: "string", enum: ["a", "b"], default: "a" },
  ],
  ["literals", z.union([z.literal("a"), z.literal("b")]), { type: "string", enum: ["a", "b"] }],
  ["null", z.string().nullable(), { type: "string", nullable: true }],
  [
    "a description outside and words inside",
    z.array(text).max(3).meta({ "x-kubernetes-list-type": "set" }).optional().describe("d"),
    {
      type: "array",
      items: { type: "string" },
      maxItems: 3,
      "x-kubernetes-list-type": "set",
      description: "d",
    },
  ],
  [
    "a record",
    z.record(z.string(), z.boolean()),
    { type: "object", additionalProperties: { type: "boolean" } },
  ],
  ["anything", z.unknown(), { "x-kubernetes-preserve-unknown-fields": true }],
  [
    "a loose object",
    z.looseObject({ a: z.boolean() }),
    {
      type: "object",
      required: ["a"],
      properties: { a: { type: "boolean" } },
      "x-kubernetes-preserve-unknown-fields": true,
    },
  ],
  [
    "int-or-string",
    intOrString,
    { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
  ],
  [
    "required is what neither is optional nor has a default",
    z.object({ a: text, b: text.optional(), c: text.default("") }),
    {
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string", default: "" } },
    },
  ],
  [
    "a rule in CEL instead of code",
    z
      .string()
      .refine((it) => it !== "x")
      .meta({ "x-kubernetes-validations": [{ rule: "self != 'x'" }] }),
    { type: "string", "x-kubernetes-validations": [{ rule: "self != 'x'" }] },
  ],
];
for (const [name, schema, expected] of cases)
  test(`says ${name}`, () => assert.deepEqual(structuralSchemaOf(schema), expected));

test("keeps words for strategic merge patches and known values from CRDs", () => {
  const ports = keyed(z.object({ name: text, protocol: oneOf("TCP", "UDP").default("TCP") }), "name");
  assert.deepEqual(structuralSchemaOf(ports), {
    type: "array",
    items: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, protocol: { type: "string", default: "TCP" } },
    },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  });
  const builtIn = JSON.stringify(structuralSchemaOf(ports, "builtIn"));
  assert.match(builtIn, /"x-kubernetes-patch-merge-key":"name"/);
  assert.match(builtIn, /"enum":\["TCP","UDP"\]/);
});

const refused: readonly [string, z.ZodType, string][] = [
  ["unions", z.object({ a: z.object({ b: z.union([z.string(), z.boolean()]) }) }), "a.b"],
  ["tuples", z.object({ a: z.array(z.tuple([z.string()])) }), "a[]"],
  ["code", z.object({ a: z.string().refine(() => true) }), "a"],
  ["transforms", z.object({ a: z.string().transform(Number) }), "a"],
  ["trimming", z.object({ a: z.string().trim() }), "a"],
  ["look-ahead", z.object({ a: z.string().regex(/a(?=b)/) }), "a"],
  ["flags", z.object({ a: z.string().regex(/a/i) }), "a"],
  ["records of some keys", z.object({ a: z.record(z.enum(["x"]), z.string()) }), "a"],
  [
    "recursion",
    z.object({
      a: z.record(
        z.string(),
        z.lazy(() => z.string()),
      ),
    }),
    "a{}",
  ],
  ["dates", z.object({ a: z.date() }), "a"],
];
for (const [name, schema, path] of refused)
  test(`refuses ${name} and names the path`, () =>
    assert.throws(
      () => structuralSchemaOf(schema),
      (error) => error instanceof NotStructuralError && error.path === path && error.message.includes(path),
    ));

test("gives the same JSON for the pod each time", () => {
  const first = JSON.stringify(structuralSchemaOf(PodSpec));
  assert.equal(JSON.stringify(structuralSchemaOf(PodSpec)), first);
  assert.ok(!first.includes("$ref"));
});

test("quantities take numbers and texts with units", () => {
  for (const good of [1, "500m", "1Gi", "1e3", ".5"])
    assert.ok(quantity.safeParse(good).success, String(good));
  for (const bad of ["", "1 Gi", "Gi"]) assert.ok(!quantity.safeParse(bad).success, bad);
});
