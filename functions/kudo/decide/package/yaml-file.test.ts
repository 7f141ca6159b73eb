import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { YamlFile } from "./yaml-file.ts";

const opened = (text: string): YamlFile => new YamlFile("operator.yaml", text);
/** The value of a field by the reading of one type, and the faults that it led to: `line:column message`. */
const reading = (type: "text" | "truth" | "integer" | "list" | "map" | "value", text: string) => {
  const file = opened(text);
  const value = file[type](file.field(file.root, "field"));
  return { value, faults: file.faults.map(({ line, column, message }) => `${line}:${column} ${message}`) };
};

describe("a field of a package's file", () => {
  const cases: readonly (readonly [Parameters<typeof reading>[0], string, unknown, string?])[] = [
    ["text", "field: 1.10", "1.10"],
    ["text", "field: yes", "yes"],
    ["text", "field: 'a'", "a"],
    ["text", "field:", undefined],
    ["text", "other: 1", undefined],
    ["text", "field: [a]", undefined, "1:8 field: it is no text"],
    ["text", "a: &x one\nfield: *x", "one"],
    ["text", "FIELD: other letters", "other letters"],
    ["text", "FIELD: other letters\nfield: exact", "exact"],
    ["text", "base: &b {field: merged}\n<<: *b", "merged"],
    ["text", "<<: {field: merged}\nfield: own", "own"],
    ["text", "? [a]\n: b\nfield: kept", "kept"],
    ["text", "- field", undefined],
    ["truth", "field: true", true],
    ["truth", "field: ~", undefined],
    ["truth", "other: 1", undefined],
    ["truth", "field: maybe", undefined, "1:8 field: it is neither true nor false"],
    ["truth", "field: {}", undefined, "1:8 field: it is neither true nor false"],
    ["integer", "field: 7", 7],
    ["integer", "field: 7.5", undefined, "1:8 field: it is no whole number"],
    ["integer", "field: '7'", undefined, "1:8 field: it is no whole number"],
    ["integer", "other: 1", undefined],
    ["list", "field:", undefined],
    ["list", "field: {a: b}", undefined, "1:8 field: it is no list"],
    ["list", "field: a", undefined, "1:8 field: it is no list"],
    ["map", "field:", undefined],
    ["map", "field: [a]", undefined, "1:8 field: it is no map"],
    ["value", "field: 1.50", { value: 1.5, source: "1.50" }],
    ["value", "field: 'a'", { value: "a", source: undefined }],
    ["value", "field: ~", undefined],
    ["value", "other: 1", undefined],
    ["value", "field: [1, {a: b}]", { value: [1, { a: "b" }] }],
  ];
  for (const [type, text, value, fault] of cases)
    it(`is read as ${type} from ${JSON.stringify(text)}`, () => {
      const found = reading(type, text);
      // Numbers may be read as big ones: what they mean counts.
      const plain = JSON.parse(
        JSON.stringify([found.value], (_, one) => (typeof one === "bigint" ? Number(one) : one)),
      );
      assert.deepEqual(plain, JSON.parse(JSON.stringify([value])));
      assert.deepEqual(found.faults, fault === undefined ? [] : [fault]);
    });

  it("names the members of lists and maps by their way", () => {
    const file = opened("plans:\n  deploy:\n    phases: [a, b]\n    1: c\n");
    const deploy = file.field(file.field(file.root, "plans"), "deploy");
    assert.deepEqual(
      file.list(file.field(deploy, "phases"))?.map(({ path }) => path),
      ["plans.deploy.phases[0]", "plans.deploy.phases[1]"],
    );
    assert.deepEqual(file.texts(file.field(deploy, "phases")), ["a", "b"]);
    assert.deepEqual(
      file.map(deploy)?.map(([key, { path }]) => [key, path]),
      [
        ["phases", "plans.deploy.phases"],
        ["1", "plans.deploy.1"],
      ],
    );
    assert.deepEqual(
      file.map(file.root)?.map(([, { path }]) => path),
      ["plans"],
    );
  });

  it("is absent from an empty file, and named without a place where it has none", () => {
    const file = opened("");
    assert.equal(file.text(file.field(file.root, "field")), undefined);
    assert.equal(file.value(file.root), undefined);
    file.fault(file.root, "it is empty");
    assert.deepEqual(file.faults, [{ file: "operator.yaml", message: "it is empty" }]);
  });

  it("is not looked for where the file is no YAML: the fault says where", () => {
    const [fault] = opened("a: [1\nb: }").faults;
    assert.equal(fault?.file, "operator.yaml");
    assert(fault?.line !== undefined && !/ at line \d+/.test(fault.message), fault?.message);
  });
});
