import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { retryOf } from "./intervals.ts";
import { refusedTask } from "./update-error.ts";
import { freshWork, rangesOf, readWork, WORK_KEY, writtenWork } from "./work-record.ts";

const fresh = freshWork({ uid: "u", work: "w", settings: "s", mode: "Updating" });

describe("the record of the work", () => {
  test("comes back as it was written", () => {
    const tasks = fc.uniqueArray(fc.integer({ min: 1, max: 900 }));
    fc.assert(
      fc.property(tasks, (done) => {
        const record = {
          ...fresh,
          done: new Set(done),
          waiting: { dns: "2026-02-03T09:00:00.000Z" },
          failures: [
            {
              task: 3,
              tries: 2,
              next: "2026-02-03T09:00:10.000Z",
              told: false,
              error: refusedTask("x", "KUBE_INVALID"),
            },
          ],
          deletions: { 'deployment.apps "demo/old"': { uid: "d", gone: false } },
        };
        const again = readWork({ data: writtenWork(record) });
        assert.deepEqual(again, { ...record, done: new Set([...done].sort((one, other) => one - other)) });
      }),
    );
  });

  test("is short however many tasks are done", () => {
    assert.equal(rangesOf(new Set(Array.from({ length: 862 }, (_, index) => index + 1))), "1-862");
    assert.equal(rangesOf(new Set([5, 1, 2, 9])), "1-2,5,9");
  });

  for (const [what, text] of [
    ["none", undefined],
    ["no JSON", "{"],
    ["another shape", '{"uid":1}'],
    [
      "ranges that are none",
      JSON.stringify({ ...JSON.parse(writtenWork(fresh)[WORK_KEY] ?? ""), done: "1-" }),
    ],
  ] as const)
    test(`${what} is no record`, () => {
      assert.equal(readWork(text === undefined ? undefined : { data: { [WORK_KEY]: text } }), undefined);
    });
});

describe("retries", () => {
  const now = "2026-02-03T09:00:00.000Z";
  const waits = (mode: "Initializing" | "Updating", failures: number): number =>
    Date.parse(retryOf(mode, failures, { seed: "u", now }).at) - Date.parse(now);
  const fails = (mode: "Initializing" | "Updating", failures: number): boolean =>
    retryOf(mode, failures, { seed: "u", now }).failsPass;

  test("within a pass: 10 s and a third more, three tries; while installing from 1 s, doubled, four", () => {
    assert.deepEqual([waits("Updating", 1), waits("Updating", 2)], [10_000, 13_000]);
    assert.deepEqual(
      [1, 2, 3].map((failures) => waits("Initializing", failures)),
      [1_000, 2_000, 4_000],
    );
    assert.deepEqual(
      [1, 2, 3].map((failures) => fails("Updating", failures)),
      [false, false, true],
    );
    assert.deepEqual(
      [1, 2, 3, 4].map((failures) => fails("Initializing", failures)),
      [false, false, false, true],
    );
  });

  test("of passes: an eighth, a quarter, a half of I, then I, each up to a fifth more", () => {
    const interval = waits("Updating", 6) / 1.2;
    for (const [failures, share] of [
      [3, 1 / 8],
      [4, 1 / 4],
      [5, 1 / 2],
      [6, 1],
      [60, 1],
    ] as const) {
      const wait = waits("Updating", failures);
      assert.ok(wait >= 120_000 * share && wait <= 240_000 * 1.2 * share, `${failures}: ${wait}`);
    }
    assert.ok(interval >= 100_000);
  });
});
