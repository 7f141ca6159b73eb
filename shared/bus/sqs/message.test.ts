import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { bounded } from "../bounded.ts";
import type { NewItem, SweepSource } from "../item.ts";
import { waitingOf } from "../waiting.ts";
import {
  bodyOf,
  deduplicationIdOf,
  groupOf,
  isNewer,
  MAXIMUM_BYTES,
  messageOf,
  readTimer,
  readWork,
  VERSION,
} from "./message.ts";

const item = (key: string, sweep?: SweepSource): NewItem => ({
  function: "widget",
  key,
  lane: "urgent",
  cause: { sort: "own", eventId: "e", type: "resource.changed", revives: false, at: "2026-01-15T10:00:00Z" },
  sweep,
});

describe("messages on SQS", () => {
  test("any key comes out as it went in, and every character is one that SQS takes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (key) => {
        const sent = messageOf(item(key), 5, 1);
        const body = bodyOf(sent);
        assert.match(body, /^[ -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
        assert.deepEqual(readWork(body), JSON.parse(JSON.stringify({ version: VERSION, ...sent })));
      }),
    );
    const odd = "a\uffffb\ufffe";
    assert.equal(readWork(bodyOf(messageOf(item(odd), 5)))?.key, odd);
  });

  test("a foreign message is not read", () => {
    for (const body of [
      "",
      "{",
      "null",
      "[]",
      '"text"',
      "{}",
      '{"function":"a"}',
      '{"function":"a","key":"k","waiting":1}',
      '{"function":"a","key":"k","version":"2"}',
    ])
      assert.equal(readWork(body), undefined, body);
    for (const body of ["", "{}", '{"sort":"alarm","function":"a","key":"k"}', '{"sort":"other","at":1}'])
      assert.equal(readTimer(body), undefined, body);
    const alarm = { sort: "alarm", at: 1, function: "a", key: "k" } as const;
    assert.deepEqual(readTimer(bodyOf(alarm)), { version: VERSION, ...alarm });
  });

  test("what a newer version sent is read as far as its key, and goes on as it came", () => {
    const newer = { version: VERSION + 1, function: "a", key: "k", waiting: "otherwise", more: [1] };
    const read = readWork(JSON.stringify(newer));
    assert.ok(read !== undefined && isNewer(read));
    assert.deepEqual(JSON.parse(bodyOf(read)), newer);
    const timer = readTimer(JSON.stringify({ version: VERSION + 1, sort: "another" }));
    assert.ok(timer !== undefined && isNewer(timer));
  });

  test("keys have groups of their own, and ids say what was said", () => {
    assert.notEqual(groupOf({ function: "a", key: "bc" }), groupOf({ function: "ab", key: "c" }));
    const key = { function: "a", key: "k" };
    assert.equal(deduplicationIdOf(key, "event", "1"), deduplicationIdOf(key, "event", "1"));
    const ids = [deduplicationIdOf(key, "event", "1"), deduplicationIdOf(key, "event", "2"), groupOf(key)];
    assert.equal(new Set(ids).size, 3);
    // SQS takes 128 letters and digits.
    for (const id of ids) assert.match(id, /^[0-9a-f]{64}$/);
  });

  test("a sweep that is too large keeps the present and counts every dependant", () => {
    const facts = (size: number) => [{ now: "x".repeat(10) }, { before: "x".repeat(size) }];
    const sweep = (size: number): SweepSource => ({
      wake: 0,
      subject: { cluster: "local", name: "db" },
      facts: facts(size),
      gone: false,
      incomplete: false,
    });
    const small = waitingOf(item("s", sweep(1_000)), 0);
    assert.equal(bounded(small, MAXIMUM_BYTES), small);
    const cut = bounded(waitingOf(item("s", sweep(300_000)), 0), MAXIMUM_BYTES);
    assert.deepEqual(cut.sweep?.facts, [{ now: "x".repeat(10) }]);
    assert.equal(cut.sweep?.incomplete, true);
  });
});
