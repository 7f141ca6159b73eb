import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeObject } from "../kube/object.ts";
import { ReplacedMemo, replacement, saysTheSame } from "./replacement.ts";

const live: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "a",
    namespace: "b",
    uid: "u",
    resourceVersion: "7",
    generation: 3,
    labels: { theirs: "1" },
    annotations: { note: "2" },
    finalizers: ["example.org/f"],
    managedFields: [{ manager: "somebody" }],
  },
  data: { one: "1", two: "2" },
  status: { theirs: true },
};
const body = (more: object = {}, metadata: object = {}) => ({
  metadata: { name: "a", namespace: "b", ...metadata },
  data: { one: "1" },
  ...more,
});

describe("a replacement", () => {
  it("keeps what its metadata does not speak of, the finalizers and the status, and is guarded", () => {
    assert.deepEqual(replacement(body({ status: { mine: true } }, { labels: { mine: "1" } }), live), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "a",
        namespace: "b",
        uid: "u",
        resourceVersion: "7",
        labels: { mine: "1" },
        annotations: { note: "2" },
        finalizers: ["example.org/f"],
      },
      data: { one: "1" },
      status: { theirs: true },
    });
  });
  it("of another object is refused", () => {
    for (const other of [body({}, { name: "x" }), body({}, { namespace: "x" }), body({ kind: "Secret" })])
      assert.throws(() => replacement(other, live), { code: "REPLACES_ANOTHER" });
  });
  it("says the same whatever the order of fields, what is undefined, and the status", () => {
    const reordered = { two: "2", one: "1" };
    const same = body({ data: reordered, binaryData: undefined, status: {} });
    assert.equal(saysTheSame(replacement(same, live), live), true);
    assert.equal(saysTheSame(replacement(body(), live), live), false);
    assert.equal(saysTheSame(replacement(body({ data: reordered }, { labels: {} }), live), live), false);
  });
  it("is remembered with what the server made of it, until either is another", () => {
    const memo = new ReplacedMemo(1);
    const next = replacement(body(), live);
    const answer = { ...next, metadata: { ...next.metadata, resourceVersion: "8" }, immutable: false };
    assert.equal(memo.knows(next, answer), false);
    memo.note(next, answer);
    assert.equal(memo.knows(next, { ...answer, status: { new: true } }), true);
    assert.equal(memo.knows(replacement(body({ data: { one: "2" } }), live), answer), false);
    assert.equal(memo.knows(next, { ...answer, immutable: true }), false);
    memo.note(next, { ...answer, metadata: { ...answer.metadata, uid: "another" } });
    assert.equal(memo.knows(next, answer), false, "the limit is kept");
  });
});
