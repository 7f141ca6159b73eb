import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  type Condition,
  conditionEquals,
  findCondition,
  isFalse,
  isTrue,
  removeCondition,
  setCondition,
  setConditions,
  statusOf,
} from "./conditions.ts";

const [T1, T2, T3] = ["2026-02-01T08:00:00Z", "2026-02-01T09:00:00Z", "2026-02-01T10:00:00Z"];
const words = fc.constantFrom("Available", "Progressing", "Degraded", "Upgradeable", "OwnThing");
const status = fc.constantFrom("True" as const, "False" as const, "Unknown" as const);
const time = fc
  .integer({ min: 0, max: 2_000_000_000 })
  .map((it) => `${new Date(it * 1000).toISOString().slice(0, 19)}Z`);
const verdict = fc.record(
  { type: words, status, reason: fc.constantFrom("AsExpected", "Broken"), message: fc.string() },
  { requiredKeys: ["type", "status"] },
);
const list = fc.uniqueArray(
  fc.tuple(verdict, time).map(([said, lastTransitionTime]): Condition => ({ ...said, lastTransitionTime })),
  { selector: ({ type }) => type },
);

describe("setCondition", () => {
  test("scenario 1: appends with its time, keeps the time for new words, moves it on a flip", () => {
    const first = setCondition(undefined, { type: "Available", status: "True", reason: "AsExpected" }, T1);
    assert.deepEqual(first, [
      { type: "Available", status: "True", reason: "AsExpected", lastTransitionTime: T1 },
    ]);
    const second = setCondition(first, { type: "Available", status: "True", message: "Answers" }, T2);
    assert.deepEqual(second, [
      { type: "Available", status: "True", message: "Answers", lastTransitionTime: T1 },
    ]);
    assert.deepEqual(setCondition(second, { type: "Available", status: "False" }, T3), [
      { type: "Available", status: "False", lastTransitionTime: T3 },
    ]);
  });

  test("scenario 2: a flip is stamped now, whatever time its caller brought; the others stay as they are", () => {
    const others = [
      { type: "Progressing", status: "False" as const, lastTransitionTime: T1, message: "", extra: 1 },
      { type: "Available", status: "False" as const, lastTransitionTime: T1 },
      { type: "Degraded", status: "True" as const, reason: "Broken", lastTransitionTime: T2 },
    ];
    const brought = { type: "Available", status: "True" as const, lastTransitionTime: "" };
    const next = setCondition<Condition>(others, brought, "2026-02-01T10:00:00.789Z");
    assert.deepEqual(next, [others[0], { ...brought, lastTransitionTime: T3 }, others[2]]);
    assert.equal(next[0], others[0]);
  });

  test("keeps fields that this library does not know, and gives the same list for the same words", () => {
    const stored: readonly (Condition & { readonly observedGeneration: number })[] = [
      { type: "Ready", status: "True", observedGeneration: 4, lastTransitionTime: T1 },
    ];
    assert.equal(
      setCondition(stored, { type: "Ready", status: "True", observedGeneration: 4, reason: "" }, T2),
      stored,
    );
    assert.deepEqual(
      setCondition(stored, { type: "Ready", status: "False", observedGeneration: 4, reason: "Gone" }, T2),
      [{ type: "Ready", status: "False", observedGeneration: 4, reason: "Gone", lastTransitionTime: T2 }],
    );
  });

  test("for all lists: one of the type, order kept, time moved exactly on a flip, a second time changes nothing", () =>
    fc.assert(
      fc.property(list, verdict, (stored, said) => {
        const before = findCondition(stored, said.type);
        const next = setCondition<Condition>(stored, said, T3);
        const after = findCondition(next, said.type);
        assert.deepEqual(
          next.filter(({ type }) => type !== said.type),
          stored.filter(({ type }) => type !== said.type),
        );
        assert.deepEqual(
          next.map(({ type }) => type),
          before === undefined ? [...stored, said].map(({ type }) => type) : stored.map(({ type }) => type),
        );
        assert.equal(after?.status, said.status);
        assert.equal(after?.message ?? "", said.message ?? "");
        assert.equal(
          after?.lastTransitionTime,
          before?.status === said.status ? before.lastTransitionTime : T3,
        );
        assert.equal(setCondition<Condition>(next, said, T1), next);
      }),
    ));

  test("by the other rule each difference moves its time, and the same words do not", () => {
    const any = { moves: "any" } as const;
    const first = setCondition<Condition>(
      undefined,
      { type: "Ready", status: "False", reason: "Waits" },
      T1,
      any,
    );
    const second = setCondition(first, { type: "Ready", status: "False", reason: "Broken" }, T2, any);
    assert.deepEqual(second, [{ type: "Ready", status: "False", reason: "Broken", lastTransitionTime: T2 }]);
    assert.equal(
      setCondition(second, { type: "Ready", status: "False", reason: "Broken", message: "" }, T3, any),
      second,
    );
    assert.deepEqual(setConditions(second, [{ type: "Ready", status: "False", message: "Later" }], T3, any), [
      { type: "Ready", status: "False", message: "Later", lastTransitionTime: T3 },
    ]);
  });

  test("several at once are set in their order", () =>
    assert.deepEqual(
      setConditions<Condition>(
        undefined,
        [
          { type: "B", status: "True" },
          { type: "A", status: "False" },
        ],
        T1,
      ).map(({ type }) => type),
      ["B", "A"],
    ));
});

describe("removeCondition", () => {
  test("scenario 3: a type that is not there changes nothing", () =>
    fc.assert(
      fc.property(list, (stored) => {
        assert.equal(removeCondition(stored, "NeverSaid"), stored);
        const [first] = stored;
        if (first !== undefined) assert.deepEqual(removeCondition(stored, first.type), stored.slice(1));
      }),
    ));
});

describe("reading", () => {
  const conditions = [
    { type: "Available", status: "True" },
    { type: "Degraded", status: "maybe" },
    { type: "Available", status: "False" },
  ];
  test("the first of a type counts", () =>
    assert.equal(findCondition(conditions, "Available"), conditions[0]));
  test("another word is Unknown, and an absent one is nothing at all", () => {
    assert.equal(statusOf(conditions, "Degraded"), "Unknown");
    assert.equal(statusOf(conditions, "Progressing"), undefined);
    assert.equal(conditionEquals(conditions, "Degraded", "Unknown"), true);
    assert.equal(conditionEquals(conditions, "Progressing", "Unknown"), false);
    assert.equal(conditionEquals(undefined, "Progressing", "Unknown"), false);
    assert.equal(isTrue(conditions, "Available"), true);
    assert.equal(isTrue(conditions, "Progressing"), false);
    assert.equal(isFalse(conditions, "Progressing"), false);
  });
});
