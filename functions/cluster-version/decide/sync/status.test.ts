import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterVersionStatus } from "../../kinds/index.ts";
import { mayWaitUntil, type SyncReport, syncStatus } from "./status.ts";

const NOW = "2026-02-03T09:00:00.500Z";
const LATER = "2026-02-03T09:00:10.500Z";
const report = (more: Partial<SyncReport> = {}): SyncReport => ({
  desired: { version: "5.2.0", image: "two" },
  history: [],
  observedGeneration: 2,
  versionHash: "hash",
  capabilities: { enabled: ["Build"], known: ["Build", "Console"] },
  invalid: false,
  said: [{ type: "Progressing", status: "True", reason: "R", message: "12 of 40" }],
  ...more,
});
const first = syncStatus(undefined, report(), NOW);
const stored: ClusterVersionStatus = { ...first, availableUpdates: null };
const typesOf = ({ conditions }: { readonly conditions: readonly { readonly type: string }[] }) =>
  conditions.map(({ type }) => type);

describe("the sync's part of the status", () => {
  test("conditions stand in their order, whatever order they were said in; Available begins as False", () => {
    const said = (["Progressing", "Invalid", "ReleaseAccepted", "Failing"] as const).map((type) => ({
      type,
      status: "True" as const,
    }));
    const status = syncStatus(undefined, report({ said, invalid: true }), NOW);
    assert.deepEqual(typesOf(status), ["Invalid", "ReleaseAccepted", "Available", "Failing", "Progressing"]);
    assert.equal(status.conditions[2]?.status, "False");
    assert.deepEqual(typesOf(syncStatus({ ...stored, ...status }, report(), NOW)).includes("Invalid"), false);
  });

  test("conditions of others are left to them", () => {
    const others = {
      ...stored,
      conditions: [{ type: "Upgradeable", status: "False", lastTransitionTime: NOW } as const],
    };
    assert.ok(!typesOf(syncStatus(others, report(), NOW)).includes("Upgradeable"));
  });

  test("a time moves only with its status", () => {
    const reworded = syncStatus(
      stored,
      report({ said: [{ type: "Progressing", status: "True", message: "13" }] }),
      LATER,
    );
    assert.equal(reworded.conditions.at(-1)?.lastTransitionTime, "2026-02-03T09:00:00Z");
    const flipped = syncStatus(stored, report({ said: [{ type: "Progressing", status: "False" }] }), LATER);
    assert.equal(flipped.conditions.at(-1)?.lastTransitionTime, "2026-02-03T09:00:10Z");
  });
});

describe("a status that may wait", () => {
  const at = { now: LATER, lastStatusAt: "2026-02-03T09:00:00Z" };
  const next = (more: Partial<SyncReport>) => syncStatus(stored, report(more), LATER);
  const words = next({ said: [{ type: "Progressing", status: "True", reason: "R", message: "13 of 40" }] });

  test("is one of which only words changed, for 15 s after the last", () => {
    assert.equal(mayWaitUntil(stored, words, at), Date.parse("2026-02-03T09:00:15Z"));
    assert.equal(mayWaitUntil(stored, words, { ...at, now: "2026-02-03T09:00:15Z" }), undefined);
  });

  test("is none where nobody knows when the last was, or the clocks differ", () => {
    assert.equal(mayWaitUntil(stored, words, { now: LATER }), undefined);
    assert.equal(mayWaitUntil(undefined, words, at), undefined);
    assert.equal(mayWaitUntil(stored, words, { ...at, lastStatusAt: "2026-02-03T10:00:00Z" }), undefined);
  });

  for (const [what, more] of [
    ["generation", { observedGeneration: 3 }],
    ["release", { desired: { version: "5.2.1", image: "three" } }],
    ["condition that flips", { said: [{ type: "Progressing", status: "False", reason: "R" } as const] }],
    ["reason", { said: [{ type: "Progressing", status: "True", reason: "Other" } as const] }],
    ["error", { said: [{ type: "Failing", status: "True" } as const] }],
  ] satisfies readonly (readonly [string, Partial<SyncReport>])[])
    test(`is none with another ${what}`, () => assert.equal(mayWaitUntil(stored, next(more), at), undefined));
});
