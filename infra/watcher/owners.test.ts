import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { MOST_OWNERS } from "../../events/index.ts";
import { ownersOf } from "./owners.ts";

const owner = (name: string, more: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  name,
  uid: `uid-${name}`,
  ...more,
});
const names = (references: unknown): readonly string[] => ownersOf(references).map(({ name }) => name);

test("an owner is told as what it is, without what the garbage collector alone reads", () => {
  assert.deepEqual(ownersOf([owner("a", { controller: true, blockOwnerDeletion: true }), owner("b")]), [
    owner("a", { controller: true }),
    owner("b"),
  ]);
  assert.deepEqual(ownersOf([owner("a", { controller: "true" })]), [owner("a")]);
});

describe("what can be no object is left out, and its neighbour is told", () => {
  for (const [field, most] of [
    ["apiVersion", 317],
    ["kind", 253],
    ["name", 253],
    ["uid", 128],
  ] as const) {
    for (const [what, value] of [
      [`${most + 1} letters`, "x".repeat(most + 1)],
      ["no letter", ""],
      ["a number", 7],
      ["nothing", undefined],
    ] as const)
      test(`${field} of ${what}`, () => {
        assert.deepEqual(names([owner("a", { [field]: value }), owner("b")]), ["b"]);
      });
    test(`${field} of ${most} letters is told`, () => {
      assert.equal(ownersOf([owner("a", { [field]: "x".repeat(most) })])[0]?.[field].length, most);
    });
  }
  test("something else than an owner", () => {
    assert.deepEqual(names([null, "a", 7, [], {}, owner("b")]), ["b"]);
  });
});

describe("of many owners", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => owner(`o${index}`));
  test("as many as are followed one by one are all told", () => {
    assert.deepEqual(ownersOf(many(MOST_OWNERS)), many(MOST_OWNERS));
  });
  test("no more than these are told", () => {
    assert.equal(MOST_OWNERS, 32);
    assert.deepEqual(ownersOf(many(10_000)), many(MOST_OWNERS));
  });
  test("the controller is told first, wherever it stands", () => {
    const controller = owner("it", { controller: true });
    assert.deepEqual(ownersOf([...many(2), controller]), [controller, ...many(2)]);
    assert.deepEqual(ownersOf([...many(10_000), controller]), [controller, ...many(MOST_OWNERS - 1)]);
  });
  test("those that can be no objects take nobody's place", () => {
    const unfit = Array.from({ length: 100 }, () => owner("x".repeat(254)));
    assert.deepEqual(ownersOf([...unfit, ...many(MOST_OWNERS)]), many(MOST_OWNERS));
  });
});

test("no list is a fault of the object, which its key alone answers for", () => {
  for (const references of [undefined, null, {}, "owners"])
    assert.throws(() => ownersOf(references), new TypeError("metadata.ownerReferences is no list"));
});
