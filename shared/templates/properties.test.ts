import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { formatFloat } from "./floats.ts";
import { bytesOf, parseTemplate, TemplateError, textOf } from "./index.ts";
import { parseFloat64 } from "./numbers.ts";
import { quote, unquote } from "./quote.ts";
import { sprig } from "./sprig.ts";
import { toYamlSigs, toYamlV2 } from "./yaml.ts";

const functions = { ...sprig, toYaml: toYamlV2, sigs: toYamlSigs };
/** Bounds under which a template that a machine made up ends soon. */
const limits = { steps: 20_000, bytes: 200_000, items: 2_000 };
const bytes = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 })
  .map((list) => String.fromCharCode(...list));
/** Nothing but a template's own error may leave it. */
function rendersOrSaysWhy(template: string, data: Record<string, unknown> = {}): void {
  try {
    parseTemplate("t", template, { functions }).execute(data as never, limits);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    assert.ok(error.line === undefined || error.line >= 1);
  }
}

describe("text and numbers", () => {
  test("text comes out as it went in", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => textOf(bytesOf(text)) === text.toWellFormed()),
    ));
  test("what is quoted is read back", () =>
    fc.assert(fc.property(bytes, (text) => unquote(quote(text)) === text)));
  test("the shortest text of a number is that number", () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        (["e", "f", "g", "x"] as const).every((form) =>
          Object.is(parseFloat64(formatFloat(value, form)), value),
        ),
      ),
    ));
});

describe("what is written is read back", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  /** Keys in one order. */
  const sorted = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(sorted);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => [key, sorted(item)]),
    );
  };
  test("JSON", () =>
    fc.assert(
      fc.property(value, (data) => {
        const text = parseTemplate("t", "{{ toJson .v }}", { functions }).execute({ v: data } as never);
        assert.equal(JSON.stringify(sorted(JSON.parse(text))), JSON.stringify(sorted(data)));
      }),
    ));
});

describe("nothing but a template's own error comes out of", () => {
  const parts = fc.constantFrom(
    ...[
      "{{",
      "}}",
      "{{-",
      "-}}",
      "if",
      "else",
      "end",
      "range",
      "with",
      "define",
      "block",
      "template",
      "break",
      "$x",
      ":=",
      "=",
    ],
    ...[
      ".",
      ".a",
      "$",
      "|",
      "(",
      ")",
      ",",
      '"a"',
      "`b`",
      "'c'",
      "1",
      "1.5",
      "nil",
      "true",
      "upper",
      "list",
      "dict",
      "printf",
      " ",
      "\n",
      "é",
    ],
    ...["/*", "*/", "index", "fail", "until 3", '"%d"', "toYaml", "0x", "'", '"', "`"],
  );
  test("made up text", () =>
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (list) => rendersOrSaysWhy(list.join(" "))),
      { numRuns: 2000 },
    ));
  test("bytes", () => fc.assert(fc.property(bytes, (text) => rendersOrSaysWhy(`{{ ${text} }}`))));
  for (const name of Object.keys(functions))
    test(name, () =>
      fc.assert(
        fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }), (values) => {
          const data = Object.fromEntries(values.map((value, index) => [`v${index}`, value]));
          rendersOrSaysWhy(
            `{{ ${name} ${Object.keys(data)
              .map((key) => `.${key}`)
              .join(" ")} }}`,
            data,
          );
        }),
        { numRuns: 25 },
      ),
    );
});
