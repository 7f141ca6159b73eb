import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, it } from "vitest";
import { versionIn } from "./line.ts";

const line = (object: object, type = "MODIFIED"): string => JSON.stringify({ type, object });
const told = { uid: "u-1", resourceVersion: "7" };

describe("a line that is not parsed yet", () => {
  it("tells object and version, in the order of custom resources and of others", () => {
    assert.deepEqual(versionIn(line({ metadata: { name: "a", resourceVersion: "7", uid: "u-1" } })), told);
    assert.deepEqual(versionIn(line({ metadata: { name: "a", uid: "u-1", resourceVersion: "7" } })), told);
    const owner = { ownerReferences: [{ uid: "u-2" }], resourceVersion: "7", uid: "u-1" };
    assert.deepEqual(versionIn(line({ metadata: owner })), told);
    assert.deepEqual(versionIn(line({ metadata: { uid: "u-1", name: "a", resourceVersion: "7" } })), told);
  });

  it("tells nothing where it is no change, or where only the whole line says which is meant", () => {
    const metadata = { name: "a", resourceVersion: "7", uid: "u-1" };
    for (const type of ["ADDED", "DELETED", "BOOKMARK", "ERROR"])
      assert.equal(versionIn(line({ metadata }, type)), undefined);
    assert.equal(versionIn(line({ metadata: { labels: { resourceVersion: "1" }, ...metadata } })), undefined);
    assert.equal(versionIn(line({ metadata, spec: { resourceVersion: "1" } })), undefined);
    const far = { uid: "u-1", name: "a", resourceVersion: "7", ownerReferences: [{ uid: "u-2" }] };
    assert.equal(versionIn(line({ metadata: far })), undefined);
    assert.equal(versionIn(line({ metadata: { uid: "", resourceVersion: "7" } })), undefined);
    assert.equal(versionIn('{"type":"MODIFIED","object":{"metadata":{}}}'), undefined);
  });

  it("tells what the parsed one says, or nothing, whatever stands in the object", () => {
    const word = fc.oneof(
      fc.constantFrom("resourceVersion", "uid", '"uid":"x"', '"resourceVersion":"1"'),
      fc.string(),
    );
    const other = fc.dictionary(word, word);
    fc.assert(
      fc.property(other, other, other, fc.boolean(), (labels, annotations, spec, uidFirst) => {
        const version = { resourceVersion: "7" };
        const uid = { uid: "u-1" };
        const metadata = uidFirst
          ? { annotations, labels, ...uid, ...version }
          : { annotations, labels, ...version, ...uid };
        const found = versionIn(line({ apiVersion: "v1", kind: "Jar", metadata, spec, status: spec }));
        if (found !== undefined) assert.deepEqual(found, told);
      }),
      { numRuns: 2_000 },
    );
  });
});
