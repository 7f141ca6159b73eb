import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Parameter } from "../../kinds/index.ts";
import type { Definition } from "../definition/index.ts";
import {
  changesOf,
  defaultFault,
  droppedByUpgrade,
  immutableDefaults,
  immutableFault,
  keptImmutables,
  type PackageValue,
  templateValue,
  typeFault,
  upgradeFault,
  type Values,
  valueFault,
  wireText,
} from "./index.ts";

const version = (name: string, ...parameters: readonly Parameter[]): Definition => ({
  metadata: { name },
  spec: { parameters: [...parameters] },
});

describe("a value of a type", () => {
  for (const [type, good, bad] of [
    ["string", ["", "x", "1"], []],
    [
      "integer",
      ["0", "-7", "+9223372036854775807", "007"],
      ["1.0", "1e3", "0x10", "1_000", " 1", "9223372036854775808"],
    ],
    [
      "number",
      ["1", "-1.5", ".5", "5.", "1e3", "Inf", "NaN", "1_0.5", "0x1p-2"],
      ["", "1,5", "0x10", "1e400", "_1", "e1"],
    ],
    [
      "boolean",
      ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"],
      ["yes", "tRUE", "2", ""],
    ],
    ["array", ["[ 80 ]", "- a\n- b", "", "null", "[]"], ["a", "a: 1", "[", "1"]],
    ["map", ["a: 1", "{}", "", "~"], ["[1]", "a", "{", "a: b: c"]],
  ] as const) {
    for (const text of good)
      test(`${type} takes ${JSON.stringify(text)}`, () => assert.equal(typeFault(type, text), undefined));
    for (const text of bad)
      test(`${type} refuses ${JSON.stringify(text)}`, () =>
        assert.notEqual(typeFault(type, text), undefined));
  }
  for (const [parameter, value, fault] of [
    [{}, "", undefined],
    [{ required: true }, "", 'parameter "P" is required but has no value set'],
    [{ required: true, default: "" }, "", undefined],
    [{ "value-type": "integer" }, "", undefined],
    [
      { "value-type": "integer" },
      "a",
      'parameter "P" has an invalid value "a": type is "integer" but format of "a" is invalid: strconv.ParseInt: parsing "a": invalid syntax',
    ],
    [
      { "value-type": "integer" },
      "99999999999999999999",
      'parameter "P" has an invalid value "99999999999999999999": type is "integer" but format of "99999999999999999999" is invalid: strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
    [
      { "value-type": "boolean" },
      "maybe",
      'parameter "P" has an invalid value "maybe": type is "boolean" but format of "maybe" is invalid: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      { "value-type": "array" },
      "a\n",
      'parameter "P" has an invalid value "a\\n": type is "array", but format of a\n is invalid',
    ],
    [
      { enum: ["a", "b c"] },
      "c",
      'parameter "P" has an invalid value "c": value is "c", but only allowed values are [a b c]',
    ],
    [{ enum: ["a"] }, "a", undefined],
  ] as const)
    test(`${JSON.stringify(parameter)} says of ${JSON.stringify(value)}: ${fault ?? "nothing"}`, () =>
      assert.equal(valueFault({ ...(parameter as Parameter), name: "P" }, value), fault));
  test("a default is held to type and enum", () => {
    const name = "P";
    assert.equal(
      defaultFault({ name, "value-type": "map", default: "[1]" }),
      'parameter "P" has an invalid default value: type is "map", but format of [1] is invalid',
    );
    assert.equal(defaultFault({ name, default: "x" }), undefined);
  });
  test("templates see lists and maps, and texts of all else", () => {
    assert.deepEqual(templateValue("array", "[ 80, a ]"), { value: [80, "a"] });
    assert.deepEqual(templateValue("map", "a: {b: true}"), { value: { a: { b: true } } });
    assert.deepEqual(templateValue("map", ""), { value: null });
    assert.deepEqual(templateValue("boolean", "false"), { value: "false" });
    assert.equal(templateValue("array", "{"), undefined);
  });
});

describe("a value on its way from a package", () => {
  for (const [value, text] of [
    [{ value: "x" }, "x"],
    [{ value: 3 }, "3"],
    [{ value: 30_000_000 }, "30000000"],
    [{ value: 1.1, source: "1.10" }, "1.10"],
    [{ value: 0.5 }, "0.5"],
    [{ value: true }, "true"],
    [{ value: null }, undefined],
    [{ value: ["a", 1] }, "- a\n- 1\n"],
    [{ value: { b: 1, a: { c: "yes" } } }, 'a:\n  c: "yes"\nb: 1\n'],
  ] as readonly (readonly [PackageValue, string | undefined])[])
    test(`${JSON.stringify(value)} travels as ${JSON.stringify(text)}`, () =>
      assert.equal(wireText(value), text));
});

describe("an edit", () => {
  const old = version(
    "v1",
    { name: "A", default: "1" },
    { name: "B" },
    { name: "GONE" },
    { name: "I", immutable: true },
  );
  const next = version(
    "v2",
    { name: "A", default: "1" },
    { name: "B", immutable: true },
    { name: "NEW", immutable: true, default: "n" },
  );
  const edit = (before: Values, after: Values, from = old, to = old) => ({ before, after, from, to });
  const names = (before: Values, after: Values, from = old, to = old) => {
    const changes = changesOf(edit(before, after, from, to));
    return typeof changes === "string"
      ? changes
      : [changes.changed.map(({ name }) => name), changes.removed.map(({ name }) => name)];
  };
  test("changes what is given another value, and what is given no more", () => {
    assert.deepEqual(names({ A: "2", B: "1" }, { A: "3" }), [["A"], ["B"]]);
  });
  test("changes nothing by writing what the default is, or by taking that out", () => {
    assert.deepEqual(names({}, { A: "1" }), [[], []]);
    assert.deepEqual(names({ A: "1" }, {}), [[], []]);
    assert.deepEqual(names({ B: "" }, {}), [[], []]);
  });
  test("may not give a value to what is not defined", () =>
    assert.equal(names({}, { X: "1" }), 'failed to find parameter "X" in the OperatorVersion'));
  test("may keep a value that is not defined, and take it out", () => {
    assert.deepEqual(names({ X: "1" }, { X: "1", A: "2" }), [["A"], []]);
    assert.deepEqual(names({ X: "1" }, {}), [[], []]);
  });
  test("of an upgrade does not count what the old version did not know, nor what the new one does not", () =>
    assert.deepEqual(names({ GONE: "1" }, { NEW: "2", B: "1" }, old, next), [["B"], []]));
  test("may not change what is immutable; leaving it out changes nothing", () => {
    assert.equal(
      immutableFault(edit({ I: "1" }, { I: "2" })),
      "parameter 'I' is immutable but was changed from '1' to '2'",
    );
    assert.equal(
      immutableFault(edit({ I: "1" }, {})),
      "parameter 'I' is immutable but was changed from '1' to ''",
    );
    assert.deepEqual(keptImmutables(edit({ I: "1", A: "2" }, {})), { I: "1" });
  });
  test("of an upgrade may not change it either, by another default least of all", () => {
    const disk = (name: string, standard: string, immutable = true) =>
      version(name, { name: "DISK", default: standard, immutable });
    const [v1, v2] = [disk("v1", "5Gi"), disk("v2", "9Gi")];
    const changed = "parameter 'DISK' is immutable but was changed from '5Gi' to '9Gi'";
    assert.equal(immutableFault(edit({}, {}, v1, v2)), changed);
    assert.equal(immutableFault(edit({ DISK: "5Gi" }, {}, v1, v2)), changed);
    assert.equal(immutableFault(edit({ DISK: "5Gi" }, { DISK: "9Gi" }, v1, v2)), changed);
    assert.equal(immutableFault(edit({}, { DISK: "5Gi" }, v1, v2)), undefined);
    assert.equal(immutableFault(edit({ DISK: "5Gi" }, { DISK: "5Gi" }, v1, v2)), undefined);
    assert.equal(immutableFault(edit({}, {}, v1, disk("v2", "5Gi"))), undefined);
    // It becomes so only now: with what value, its user says.
    assert.equal(immutableFault(edit({}, { DISK: "9Gi" }, disk("v1", "5Gi", false), v2)), undefined);
    assert.equal(immutableFault(edit({}, {}, v1, disk("v2", "9Gi", false))), undefined);
  });
  test("of an upgrade needs values for what is immutable from now on", () => {
    assert.equal(
      upgradeFault(edit({}, {}, old, next)),
      "parameter 'B' was changed to immutable in operator version v2 but no value was provided",
    );
    assert.equal(
      upgradeFault(edit({}, { B: "1" }, old, next)),
      "parameter 'NEW' was added in operator version v2, but no value was provided (default would be n)",
    );
    assert.equal(upgradeFault(edit({}, { B: "1", NEW: "x" }, old, next)), undefined);
    assert.equal(
      upgradeFault(edit({}, {}, old, version("v3", { name: "N", immutable: true }))),
      "parameter 'N' was added in operator version v3, but no value was provided",
    );
    assert.deepEqual(droppedByUpgrade(edit({}, { GONE: "1", A: "1" }, old, next)), ["GONE"]);
  });
  test("a new Instance keeps the defaults of what is immutable", () => {
    assert.deepEqual(immutableDefaults(next, {}), { NEW: "n" });
    assert.deepEqual(immutableDefaults(next, { NEW: "x" }), {});
  });
});
