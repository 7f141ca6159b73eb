import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { MOST_LEVELS } from "./bounds.ts";
import { documentsOf, strictDocumentsOf } from "./documents.ts";

const DEEP = /more than 300 objects and lists within each other/;
const faultsOf = (text: string): readonly string[] =>
  documentsOf(text).faults.map(({ number, message }) => `${number}: ${message}`);

describe("a document with many levels", () => {
  const within = (open: string, levels: number, close: string): string =>
    `${open.repeat(levels)}1${close.repeat(levels)}`;

  for (const [what, of] of [
    ["JSON", (levels: number) => within('{"a":', levels, "}")],
    ["lists in brackets", (levels: number) => within("[", levels, "]")],
    ["lists in a line", (levels: number) => within("- ", levels, "")],
    ["maps", (levels: number) => Array.from({ length: levels }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
  ] as const)
    it(`is read up to a limit, and a fault beyond it: ${what}`, () => {
      assert.deepEqual(faultsOf(of(MOST_LEVELS)), []);
      for (const levels of [MOST_LEVELS + 1, 2_000]) {
        const { documents, faults } = documentsOf(`a: 1\n---\n${of(levels)}`);
        assert.deepEqual(
          [documents.length, faults.length, faults[0]?.number],
          [1, 1, 2],
          `${levels}: ${faults[0]?.message}`,
        );
        assert.match(faults[0]?.message ?? "", DEEP);
      }
      assert.match(faultsOf(of(10_000 / (what === "maps" ? 10 : 1)))[0] ?? "", DEEP);
    });

  it("is a fault where anchors make them, within themselves or one after the other", () => {
    assert.match(faultsOf("a: &a\n  b: *a")[0] ?? "", DEEP);
    const chain = Array.from(
      { length: 10 },
      (_, at) => `a${at}: &a${at} ${within("[", 50, "]").replace("1", at === 0 ? "1" : `*a${at - 1}`)}`,
    );
    assert.match(faultsOf(chain.join("\n"))[0] ?? "", DEEP);
  });
});

it("a document that aliases make large is a fault before it is in memory", () => {
  const text = `a: &a ${"x".repeat(100_000)}\nb: [${"*a,".repeat(2_000)}]`;
  const laughs = "bcdefg".replace(
    /./g,
    (name, at: number) => `${name}: &${name} [${`*${"abcdef"[at]},`.repeat(9)}]\n`,
  );
  for (const large of [text, `a: &a [x]\n${laughs}`])
    assert.match(faultsOf(large)[0] ?? "", /^1: its aliases make too much of it/);
});

it("a document that merges make large is a fault before they are copied", () => {
  const keys = Array.from({ length: 1_000 }, (_, at) => `k${at}: 1`).join(", ");
  const merges = (times: number): string => `b: &b {${keys}}\nc:\n${"- {<<: *b}\n".repeat(times)}`;
  assert.match(faultsOf(merges(3_000))[0] ?? "", /^1: its aliases make too much of it/);
  assert.deepEqual(faultsOf(merges(100)), []);
  const within = `a: &a\n  <<: [&b {${keys}}, ${"*b, ".repeat(3_000)}]`;
  assert.match(faultsOf(within)[0] ?? "", /^1: its aliases make too much of it/);
});

it("a document or a text of more words than anybody writes is a fault before it is read", () => {
  const long = /it has more than 300000 words and signs, or the text more than 2000000: divide it/;
  const list = (items: number): string => `data: [${"a,".repeat(items)}]\n`;
  assert.match(faultsOf(list(150_001)).at(-1) ?? "", long);
  assert.match(faultsOf(`a: 1\n---\n${list(150_001)}`).at(-1) ?? "", /^2: /);
  assert.match(faultsOf(`---\n${list(140_000)}`.repeat(8)).at(-1) ?? "", long);
});

it("bundles of many dense documents are read", () => {
  const item = "  - name: one\n    type: two\n";
  const text = "---\nkind: ConfigMap\nmetadata:\n  name: x\nlist:\n".concat(item.repeat(30)).repeat(1_500);
  const { documents, faults } = documentsOf(text);
  assert.deepEqual([documents.length, faults], [1_500, []]);
});

it("binary texts and octal numbers are read as Kubernetes reads them", () => {
  const read = (text: string): unknown => documentsOf(`a: ${text}`).documents[0]?.value;
  assert.deepEqual(read('!!binary "aGk="'), { a: "hi" });
  assert.match(faultsOf('a: !!binary "///"')[0] ?? "", /^1: !!binary holds no base64 at line 1/);
  assert.deepEqual([read("0o17"), read("017"), read("0")], [{ a: 15 }, { a: 15 }, { a: 0 }]);
  assert.deepEqual([read("0o"), read("0o_")], [{ a: "0o" }, { a: "0o_" }]);
});

describe("a text in quotes of several lines", () => {
  const textIn = (quoted: string): unknown =>
    documentsOf(`spec:\n  more:\n    text: ${quoted}\n    type: string\n`).documents.map(
      ({ value }) => value,
    );
  const read = (text: string) => [{ spec: { more: { text, type: "string" } } }];
  it.each(["      ", "    ", "  ", ""])("goes on at any column, as libyaml has it: %j", (indent) => {
    assert.deepEqual(
      textIn(`'of\n${indent}an object. It''s\n\n${indent}one'`),
      read("of an object. It's\none"),
    );
    assert.deepEqual(textIn(`"of\n${indent}an \\"object\\": x"`), read('of an "object": x'));
  });
  it.each(["\t", " ", ""])("has company in maps and lists in brackets: %j", (indent) =>
    assert.deepEqual(
      documentsOf(`a:\n  b: {\n${indent}c: d,\n${indent}e: [\n${indent}f\n${indent}],\n}\n  g: h\n`),
      {
        documents: [
          {
            number: 1,
            raw: '{"a":{"b":{"c":"d","e":["f"]},"g":"h"}}',
            value: { a: { b: { c: "d", e: ["f"] }, g: "h" } },
          },
        ],
        faults: [],
      },
    ),
  );
  it("ends at no document", () => {
    const { faults } = documentsOf("spec:\n  a: 'of\n---\nb: 1\n");
    assert.deepEqual(
      faults.map(({ number }) => number),
      [1],
    );
  });
});

it("a fault says at which line and column it is", () =>
  assert.deepEqual(faultsOf("a: 1\n---\nb:\n\tc: 1\n---\nd: 1\n"), [
    "2: Tabs are not allowed as indentation at line 4, column 1",
  ]));

describe("keys that stand twice", () => {
  it.each([
    ["a: 1\nb: {c: 1, d: 2, c: 3}\na: 4", ["b.c", "a"]],
    ["a: [{b: 1}, {b: 1, b: 2}]", ["a.1.b"]],
    ["a: &a {x: 1}\nb: {<<: *a, <<: *a, x: 2}", []],
    ['{"a": {"b": "{\\"b\\":", "b": 2}, "c": [1, {"a": 1, "\\u0061": 2}]}', ["a.b", "c.1.a"]],
    ['{"a": ["a", "a", ":"], "b": {"a": "a"}}', []],
  ])("are told of by their paths: %j", (text, paths) => {
    assert.deepEqual(
      documentsOf(text, { doubled: true }).documents.map(({ doubled }) => doubled),
      [paths],
    );
    assert.deepEqual(documentsOf(text).documents[0]?.doubled, undefined);
  });

  it("are faults to whoever reads strictly, in the order of documents", () =>
    assert.deepEqual(
      strictDocumentsOf("a: 1\n---\nb: {c: 1, c: 2}\n---\nd: [").faults.map(({ number }) => number),
      [2, 3],
    ));
});
