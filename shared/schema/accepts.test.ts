import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, it } from "vitest";
import * as z from "zod";
import { catalogue, envelope } from "../../events/index.ts";
import { accepts } from "./accepts.ts";

const samples = join(import.meta.dirname, "../../events/samples");
const events: readonly { readonly type: string; readonly data: unknown }[] = readdirSync(samples)
  .filter((file) => file.endsWith(".json"))
  .map((file) => JSON.parse(readFileSync(join(samples, file), "utf8")));

const spot = z.object({
  name: z.string().min(1).max(3),
  code: z.string().regex(/^a/).optional(),
  at: z.iso.datetime({ offset: true }),
  count: z.int().min(0).max(9),
  share: z.number().gt(0).lt(1).nullable(),
  sort: z.enum(["a", "b"]),
  mark: z.literal(["x", 7]),
  facts: z.record(z.string(), z.json()),
  tags: z.array(z.string()).min(1).max(2),
  on: z.boolean(),
  either: z.union([z.string(), z.object({ a: z.boolean() })]),
  rest: z.unknown().optional(),
  size: z.enum(["small", "large"]).default("small"),
  floors: z.int32(),
  given: z.unknown().nonoptional(),
});
const taken = {
  name: "abc",
  code: "a1",
  at: "2026-01-01T00:00:00Z",
  count: 3,
  share: 0.5,
  sort: "a",
  mark: 7,
  facts: { deep: { list: [1, null, "x"] } },
  tags: ["one"],
  on: true,
  either: { a: false, unknown: 1 },
  size: "large",
  floors: -2_147_483_648,
  given: 0,
  more: "fields",
};

/** The value with something else at a random place, or without it. */
const spoiled = (value: unknown): fc.Arbitrary<unknown> => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      undefined,
      Number.NaN,
      "",
      "x".repeat(300),
      "2026-13-01T00:00:00Z",
      -1,
      -0,
      0.5,
      10,
      2 ** 31,
      {},
      [],
    ),
  );
  if (typeof value !== "object" || value === null) return anything;
  const names = Object.keys(value);
  if (names.length === 0) return anything;
  return fc.oneof(
    { weight: 1, arbitrary: anything },
    {
      weight: 6,
      arbitrary: fc.constantFrom(...names).chain((name) =>
        spoiled((value as Readonly<Record<string, unknown>>)[name]).map((next) => {
          const copy = structuredClone(value) as Record<string, unknown>;
          if (next === undefined && !Array.isArray(copy)) delete copy[name];
          else copy[name] = next;
          return copy;
        }),
      ),
    },
  );
};

/** What is certain must be what zod says, and give back all that the schema knows unchanged. */
function agrees(schema: z.ZodType, value: unknown): void {
  const parsed = schema.safeParse(value);
  if (!accepts(schema, value)) return;
  assert.ok(parsed.success, `taken, though zod refuses ${JSON.stringify(value)}`);
  assert.partialDeepStrictEqual({ value }, { value: parsed.data });
}

describe("what a schema certainly takes", () => {
  for (const event of events) {
    const data = catalogue.get(event.type)?.data;
    if (data === undefined) throw new Error(`${event.type} is unknown`);
    // Commands are few, and checked by code of their own.
    if (!event.type.startsWith("command."))
      it(`is seen at once in an event ${event.type}`, () => {
        assert.ok(accepts(envelope, event));
        assert.ok(accepts(data, event.data));
      });
    it(`is never more than zod takes of ${event.type}`, () => {
      fc.assert(fc.property(spoiled(event), (value) => agrees(envelope, value)));
      fc.assert(fc.property(spoiled(event.data), (value) => agrees(data, value)));
    });
  }
  it("covers what kinds are mostly made of", () => {
    assert.ok(accepts(spot, taken));
    fc.assert(
      fc.property(spoiled(taken), (value) => agrees(spot, value)),
      { numRuns: 1_000 },
    );
  });
  it("is nothing where the schema changes, strips its own way, or runs code", () => {
    for (const [schema, value] of [
      [z.string().default("x"), undefined],
      [z.string().trim(), "y"],
      [z.coerce.number(), 1],
      [z.string().transform(Number), "1"],
      [z.string().refine((text) => text !== "y"), "y"],
      [z.object({ a: z.string().default("x") }), {}],
      [z.strictObject({ a: z.string() }), { a: "y", b: 1 }],
      [z.object({ a: z.string() }).refine(() => false), { a: "y" }],
      [z.email(), "a@example.org"],
    ] as const)
      assert.equal(accepts(schema, value), false);
  });
});
