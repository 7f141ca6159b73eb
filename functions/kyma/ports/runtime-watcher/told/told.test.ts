import assert from "node:assert/strict";
import { describe, it, test } from "vitest";
import { fieldManagerOf } from "../../../../../shared/runner/last-status.ts";
import { catalog } from "../../../catalog.ts";
import { LABELS } from "../../../kinds/index.ts";
import { manifests } from "../../../manifests.ts";
import { type Change, delivered, failed, firstOf, keyOf, seenAt, seenIn, WRITERS } from "./index.ts";

const gvk = { group: "operator.kyma-project.io", version: "v1beta2", kind: "Kyma" };
const change: Change = { manager: "lifecycle-manager", ...gvk, namespace: "kyma-system", name: "default" };

describe("a question of the API server", () => {
  const ask = (request: object) =>
    seenIn("lifecycle-manager", {
      kind: "AdmissionReview",
      request: { uid: "u", kind: gvk, namespace: "kyma-system", name: "default", ...request },
    });
  const object = (spec: unknown, status: unknown = {}) => ({ metadata: { name: "default" }, spec, status });
  it("is always answered by yes", () => {
    for (const request of [
      { operation: "CREATE" },
      { operation: "CONNECT" },
      { operation: "UPDATE", dryRun: true },
    ])
      assert.deepEqual(ask(request)?.answer, {
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: { uid: "u", allowed: true },
      });
    const longNamed = { request: { uid: "u", kind: gvk, operation: "CREATE", name: "x".repeat(254) } };
    for (const body of [null, 1, {}, { request: {} }, { request: { uid: 1 } }, longNamed])
      assert.equal(seenIn("lifecycle-manager", body), undefined);
  });
  it("tells a change where the spec differs, or the status where that is asked about", () => {
    const told = (request: object): boolean => ask(request)?.change !== undefined;
    const update = (was: unknown, now: unknown, more: object = {}) => ({
      operation: "UPDATE",
      oldObject: was,
      object: now,
      ...more,
    });
    const status = { subResource: "status" };
    const marked = (labels: object) => ({ metadata: { name: "default", labels }, spec: 1 });
    const held = (...finalizers: string[]) => ({ metadata: { name: "default", finalizers }, spec: 1 });
    const leaving = (...finalizers: string[]) => ({
      metadata: { name: "default", finalizers, deletionTimestamp: "2026-02-03T10:00:00Z" },
      spec: 1,
    });
    const by = (fieldManager: string) => ({ options: { kind: "PatchOptions", fieldManager } });
    for (const [what, request, expected] of [
      ["created", { operation: "CREATE", object: object({}) }, true],
      ["deleted", { operation: "DELETE", oldObject: object({}) }, true],
      ["another spec", update(object({ a: 1 }), object({ a: 2 })), true],
      ["the same in another order", update(object({ a: 1, b: 2 }), object({ b: 2, a: 1 })), false],
      ["another status", update(object({}, { a: 1 }), object({}, { a: 2 })), false],
      ["another status, asked about", update(object({}, { a: 1 }), object({}, { a: 2 }), status), true],
      ["another spec, asked about the status", update(object({ a: 1 }), object({ a: 2 }), status), false],
      ["no spec before", update({ metadata: {} }, object({})), true],
      ["no spec at all", update({ metadata: {} }, { metadata: {} }), true],
      ["a mark taken off", update(marked({ [LABELS.managedBy]: "kyma" }), marked({})), true],
      ["held back no longer", update(leaving("a"), leaving()), true],
      ["held back by one less", update(leaving("a", "b"), leaving("b")), false],
      ["no longer held back, and not leaving", update(held("a"), held()), false],
      ["another label", update(marked({}), marked({ a: "b" })), false],
      ["written by us", update(object(1), object(2), by("reveille-kyma-catalogs")), false],
      ["made by us", { operation: "CREATE", object: object(1), ...by("reveille-kyma-manifests") }, false],
      [
        "a Kyma made by us",
        { operation: "CREATE", object: object(1), ...by("reveille-kyma-runtimes") },
        true,
      ],
      ["written by a user", update(object(1), object(2), by("kubectl")), true],
      ["a scale", update(object(1), object(2), { subResource: "scale" }), false],
      ["only tried", { operation: "DELETE", dryRun: true }, false],
      ["connected", { operation: "CONNECT" }, false],
      ["deleted, without what it was", { operation: "DELETE", oldObject: null }, true],
    ] as const)
      assert.equal(told(request), expected, what);
    assert.deepEqual(ask({ operation: "DELETE", name: "" })?.change, { ...change, name: "" });
    assert.deepEqual(ask({ operation: "CREATE", name: "", object: object({}) })?.change, change);
  });
});

test("the functions that need not be told of their own writes have these field managers", () => {
  assert.deepEqual(WRITERS, [catalog, manifests].map(fieldManagerOf));
});

describe("a change that is to be told", () => {
  it("is told at once, after one second and after five", () => {
    const first = seenAt(change, 1_000, "a");
    assert.deepEqual(first.due, [1_000, 2_000, 6_000]);
    const second = delivered(first, 1_000, "b");
    assert.deepEqual([second?.due, second?.delivery], [[2_000, 6_000], "b"]);
    const third = second && delivered(second, 2_300, "c");
    assert.deepEqual(third?.due, [6_000]);
    assert.equal(third && delivered(third, 6_000, "d"), undefined);
  });
  it("is tried again until it arrives, under the same name", () => {
    let waiting = seenAt(change, 0, "a");
    const waits: number[] = [];
    let now = 0;
    for (let attempt = 0; attempt < 10; attempt++) {
      waiting = failed(waiting, now);
      waits.push((waiting.due[0] ?? 0) - now);
      now = waiting.due[0] ?? 0;
      assert.equal(waiting.delivery, "a");
    }
    assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    assert.equal(delivered(waiting, now, "b"), undefined, "the later looks are past");
    assert.deepEqual(failed(seenAt(change, 0, "a"), 10).due, [260, 1_000, 5_000]);
  });
  it("is told at once by a clock that was set back, and not again for as long as that is behind", () => {
    const hour = 3_600_000;
    const waiting = seenAt(change, hour, "a");
    assert.equal(firstOf([waiting], 7)?.at, 7);
    assert.equal(firstOf([seenAt({ ...change, name: "b" }, 9, "b"), waiting], 8)?.waiting, waiting);
    assert.equal(delivered(waiting, 7, "b"), undefined);
    const again = failed(waiting, 7);
    assert.equal(firstOf([again], 7)?.at, 257);
    assert.equal(delivered(again, 257, "b"), undefined);
  });
  it("takes the place of the former of the same object, and the one due first is told first", () => {
    assert.equal(keyOf(change), keyOf({ ...change }));
    assert.notEqual(keyOf(change), keyOf({ ...change, manager: "other" }));
    const [late, early] = [seenAt(change, 9, "a"), seenAt({ ...change, name: "b" }, 8, "b")];
    assert.equal(firstOf([late, early], 0)?.waiting, early);
    assert.equal(firstOf([], 0), undefined);
  });
});
