import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { canonicalJson, NoJsonError } from "../../../../shared/manifests/canonical-json.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import { versionHash } from "./version-hash.ts";

/** The same by its definition, slowly. */
function hashByDefinition(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text))
    hash = ((hash * 0x100000001b3n) & 0xffff_ffff_ffff_ffffn) ^ BigInt(byte);
  return Buffer.from(hash.toString(16).padStart(16, "0"), "hex")
    .toString("base64")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

test("the hash is FNV-1 over all texts as if they were one", () => {
  assert.equal(versionHash([]), "y_Kc5IQiIyU=");
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (texts) => {
      assert.equal(versionHash(texts), hashByDefinition(texts.join("")));
    }),
  );
});

describe("canonical JSON", () => {
  test("is JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        // Not by way of JSON.stringify: it makes 0 of -0, which Go does not.
        assert.deepEqual(JSON.parse(canonicalJson(value)), value);
      }),
      { numRuns: 50 },
    );
  });

  test("sorts keys by their bytes and escapes what HTML and JavaScript mind", () => {
    assert.equal(
      canonicalJson({ b: 1, a: { "\u{1F600}": 1, "\uFF5E": 2, Z: "" } }),
      '{"a":{"Z":"","\uFF5E":2,"\u{1F600}":1},"b":1}',
    );
    assert.equal(
      canonicalJson('<a href="x">&\u2028\u2029\b\f\u0001\u007f'),
      '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029\\b\\f\\u0001\u007f"',
    );
  });

  test("keeps all digits of integers of 64 bits, and writes floats shortest", () => {
    const numbers = [
      9223372036854775807n,
      18446744073709551615n,
      18446744073709551616n,
      1.5,
      1e21,
      1e-7,
      100,
      -0,
    ];
    assert.equal(
      canonicalJson(numbers),
      "[9223372036854775807,18446744073709551615,18446744073709552000,1.5,1e+21,1e-7,100,-0]",
    );
  });

  test("refuses what JSON cannot say", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => canonicalJson({ value }), NoJsonError);
  });
});

describe("the documents of a file", () => {
  const raws = (text: string) => documentsOf(text).documents.map(({ raw }) => raw);

  test("in YAML are compact and sorted", () => {
    assert.deepEqual(raws("b: [1, 2]\na: {c: x}\n---\n# nothing\n---\nnull\n---\nz: |\n  two\n  lines\n"), [
      '{"a":{"c":"x"},"b":[1,2]}',
      '{"z":"two\\nlines\\n"}',
    ]);
  });

  test("in JSON are as they are written, whatever comes around them", () => {
    assert.deepEqual(raws(' \n{ "b": 1,\n  "a": "}{" }\n {"c":"\\"}"}\n'), [
      '{ "b": 1,\n  "a": "}{" }',
      '{"c":"\\"}"}',
    ]);
  });

  test("may go on in YAML after JSON, and flow YAML is no JSON", () => {
    assert.deepEqual(raws('{"a":  1}\n---\nb: 2'), ['{"a":  1}', '{"b":2}']);
    assert.deepEqual(raws("{a: 1}"), ['{"a":1}']);
  });

  test("mean what YAML 1.1 means, but for clock times and dates", () => {
    assert.deepEqual(
      raws(
        "a: yes\nb: off\nc: 0644\nd: 12:30\ne: 2001-12-14\nf: 1_000\ng: 0x1f\nh: ~\ni: '1'\nj: !!str 2\n8080: x\n",
      ),
      [
        '{"8080":"x","a":true,"b":false,"c":420,"d":"12:30","e":"2001-12-14","f":1000,"g":31,"h":null,"i":"1","j":"2"}',
      ],
    );
  });

  test("hold numbers where Kubernetes finds them", () => {
    const read = (scalar: string) => raws(`a: ${scalar}`)[0]?.slice(5, -1);
    const rows: Readonly<Record<string, string>> = {
      "0": "0",
      "-0": "0",
      "+5": "5",
      "0644": "420",
      "-0o17": "-15",
      "0b101": "5",
      "0XfF": "255",
      "08": "8",
      "1__0": "10",
      "9223372036854775808": "9223372036854775808",
      "18446744073709551616": "18446744073709552000",
      "1.": "1",
      ".5": "0.5",
      "+.5e1": "5",
      "1e3": "1000",
      "1.10": "1.1",
      "-0.0": "-0",
      "1.2.3": '"1.2.3"',
      ".": '"."',
      "-.": '"-."',
      ".e5": '".e5"',
      "0o9": '"0o9"',
      _1: '"_1"',
      "1:30": '"1:30"',
      "2001-12-14": '"2001-12-14"',
      "2001-12-14T21:59:43Z": '"2001-12-14T21:59:43Z"',
      y: "true",
      Off: "false",
      "~": "null",
      "!!float 1": "1",
      "!!str 1": '"1"',
    };
    for (const [scalar, json] of Object.entries(rows)) assert.equal(read(scalar), json, scalar);
  });

  test("share anchors, and merge keys", () => {
    assert.deepEqual(raws("a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}"), [
      '{"a":{"b":1},"c":{"b":1},"d":{"b":1,"e":2}}',
    ]);
  });

  test("take the last of two equal keys", () => {
    assert.deepEqual(raws("a: 1\na: 2"), ['{"a":2}']);
  });

  test("end at `...`: what follows without a `---` belongs to none", () => {
    assert.deepEqual(raws("a: 1\n...\nb: 2\n---\nc: 3\n...\n"), ['{"a":1}', '{"c":3}']);
  });

  test("are refused where Kubernetes refuses them", () => {
    const fault = (text: string) => documentsOf(text).faults.map(({ message }) => message);
    assert.match(fault("%YAML 1.1\n---\na: 1")[0] ?? "", /%YAML directive/);
    assert.match(fault("a: \0")[0] ?? "", /byte 0/);
    assert.match(fault('a: "\\ud83d"')[0] ?? "", /half a character/);
  });

  test("that cannot be read are told by number, the others are read", () => {
    const { documents, faults } = documentsOf("a: 1\n---\nb: c: d\n---\ne: .inf\n---\nf: 1");
    assert.deepEqual(
      documents.map(({ number }) => number),
      [1, 4],
    );
    assert.deepEqual(
      faults.map(({ number }) => number),
      [2, 3],
    );
    assert.match(faults[0]?.message ?? "", /^Nested mappings/);
  });

  test("may repeat an anchor often", () => {
    const { documents, faults } = documentsOf(`a: &a [1, 2]\nb: [${"*a, ".repeat(500)}]`);
    assert.deepEqual([documents.length, faults], [1, []]);
  });

  test("that grow without bounds by aliases are refused", () => {
    const grown = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(10)}]`);
    const { faults } = documentsOf(`l0: &l0 [1]\n${grown.join("\n")}`);
    assert.match(faults[0]?.message ?? "", /alias/i);
  });
});
