import assert from "node:assert/strict";
import { test } from "vitest";
import { AppliedMemo } from "./memo.ts";
import { live, object, ours } from "./test-objects.ts";
import { wouldChange } from "./would-change.ts";

test("what a webhook makes of our values is remembered while nothing under our fields moves", () => {
  const memo = new AppliedMemo(2);
  const desired = object({ spec: { a: 1, s: ["x"] } });
  const managed = { "f:spec": { "f:a": {}, "f:s": { 'v:"x"': {} } } };
  const answer = live({ spec: { a: 100, s: ["x"], theirs: 1 } }, managed);
  assert.equal(wouldChange(desired, answer, ours), true);
  assert.equal(memo.knows(desired, answer, ours), false);
  memo.note(desired, answer, ours);
  assert.equal(
    memo.knows(
      desired,
      live({ spec: { a: 100, s: ["w", "x"], theirs: 2 } }, managed, { resourceVersion: "9" }),
      ours,
    ),
    true,
  );
  assert.equal(memo.knows(object({ spec: { a: 2, s: ["x"] } }), answer, ours), false, "another wish");
  assert.equal(
    memo.knows(desired, live({ spec: { a: 7, s: ["x"] } }, managed), ours),
    false,
    "another value",
  );
  assert.equal(
    memo.knows(desired, live({ spec: { a: 100, s: ["x"] } }, { "f:spec": { "f:a": {} } }), ours),
    false,
    "a field lost",
  );
  assert.equal(
    memo.knows(desired, live({ spec: { a: 100, s: ["x"] } }, managed, { uid: "other" }), ours),
    false,
    "another object",
  );
  for (const uid of ["v", "w"])
    memo.note(desired, live({ spec: { a: 100, s: ["x"] } }, managed, { uid }), ours);
  assert.equal(memo.knows(desired, answer, ours), false, "the oldest is forgotten");
});
