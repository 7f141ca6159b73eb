import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { documentsOf } from "./documents.ts";
import { identityOf, objectOf } from "./object-of.ts";

const read = (text: string) => objectOf(documentsOf(text).documents[0]?.value);

describe("a document", () => {
  for (const [name, text, fault] of [
    ["that is a list", "[1]", "it is no object"],
    ["that says nothing of itself", "a: 1", "it has no apiVersion, no kind, no metadata.name"],
    ["without a name", "{apiVersion: v1, kind: X, metadata: []}", "it has no metadata.name"],
    [
      "with a number as its name",
      "{apiVersion: v1, kind: X, metadata: {name: 1}}",
      "it has no metadata.name",
    ],
    [
      "of a group in a group",
      "{apiVersion: a/b/c, kind: X, metadata: {name: x}}",
      "its apiVersion a/b/c has more than one slash",
    ],
  ] as const)
    test(`${name} is no object, and why is told`, () => assert.equal(read(text), fault));
  test("is an object as it is written; a label without a value is an empty text", () => {
    const object = read(
      "{apiVersion: v1, kind: X, data: {a: null}, metadata: {name: x, labels: {a: , b: c}, annotations: {}}}",
    );
    assert.deepEqual(object, {
      apiVersion: "v1",
      kind: "X",
      data: { a: null },
      metadata: { name: "x", labels: { a: "", b: "c" }, annotations: {} },
    });
  });
});

test("two documents are the same object in whichever version they are written", () => {
  const at = (apiVersion: string, namespace?: string) =>
    identityOf({
      apiVersion,
      kind: "X",
      metadata: { name: "x", ...(namespace !== undefined && { namespace }) },
    });
  assert.equal(at("g/v1", "n"), at("g/v2", "n"));
  assert.equal(at("v1"), at("v1", ""));
  assert.equal(new Set([at("v1", "n"), at("g/v1", "n"), at("g/v1"), at("h/v1")]).size, 4);
});
