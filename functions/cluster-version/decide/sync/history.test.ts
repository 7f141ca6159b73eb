import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import type { HistoryEntry } from "../../kinds/index.ts";
import { type Applied, historyWith, MAXIMUM_HISTORY, modeOf } from "./history.ts";
import { pruned } from "./prune.ts";

const NOW = "2026-02-03T09:00:00.123Z";
const SECOND = "2026-02-03T09:00:00Z";
const entry = (version: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  state: "Completed",
  startedTime: "2026-01-01T00:00:00Z",
  completionTime: "2026-01-01T00:41:00Z",
  version,
  image: `reg.example/rel:${version}`,
  verified: false,
  ...more,
});
const applied = (version: string, more: Partial<Applied> = {}): Applied => ({
  version,
  image: `reg.example/rel:${version}`,
  completed: false,
  verified: false,
  acceptedRisks: "",
  ...more,
});
const partial = (version: string, more: Partial<HistoryEntry> = {}): HistoryEntry =>
  entry(version, { state: "Partial", completionTime: null, ...more });

describe("history", () => {
  test("a new release is begun, and the one before is closed", () => {
    const [newest, before, first] = historyWith([partial("5.2.0"), entry("5.1.9")], applied("5.2.1"), NOW);
    assert.deepEqual(newest, {
      state: "Partial",
      startedTime: SECOND,
      completionTime: null,
      version: "5.2.1",
      image: "reg.example/rel:5.2.1",
      verified: false,
    });
    assert.equal(before?.completionTime, SECOND);
    assert.equal(before.state, "Partial");
    assert.deepEqual(first, entry("5.1.9"));
  });

  test("completion is told once and never taken back", () => {
    const done = historyWith([partial("5.2.0")], applied("5.2.0", { completed: true }), NOW);
    assert.equal(done[0]?.state, "Completed");
    assert.equal(done[0].completionTime, SECOND);
    const later = historyWith(done, applied("5.2.0"), "2026-02-04T00:00:00Z");
    assert.deepEqual(later, done);
  });

  test("what one side leaves empty is filled in, and is no new entry", () => {
    const known = historyWith([partial("", { image: "reg.example/rel:5.2.0" })], applied("5.2.0"), NOW);
    assert.equal(known.length, 1);
    assert.equal(known[0]?.version, "5.2.0");
  });

  test("verified only turns on; accepted risks are kept", () => {
    const once = historyWith(
      [partial("5.2.0")],
      applied("5.2.0", { verified: true, acceptedRisks: "risk" }),
      NOW,
    );
    const twice = historyWith(once, applied("5.2.0"), NOW);
    assert.equal(twice[0]?.verified, true);
    assert.equal(twice[0].acceptedRisks, "risk");
  });

  test("without an image nothing is told", () => {
    assert.deepEqual(historyWith([], applied("", { image: "" }), NOW), []);
  });

  test("scenario 20: a release that is returned to is an entry of its own", () => {
    const there = historyWith([entry("5.1.9")], applied("5.2.0"), NOW);
    const back = historyWith(there, applied("5.1.9"), NOW);
    assert.deepEqual(
      back.map(({ version, state }) => `${version} ${state}`),
      ["5.1.9 Partial", "5.2.0 Partial", "5.1.9 Completed"],
    );
    assert.equal(back[1]?.completionTime, SECOND);
  });

  test("scenario 42: the 101st entry costs the least telling one", () => {
    const patches = Array.from({ length: MAXIMUM_HISTORY }, (_, index) =>
      entry(`4.${20 - Math.trunc(index / 10)}.${99 - index}`),
    );
    const next = historyWith(patches, applied("4.21.0"), NOW);
    assert.equal(next.length, MAXIMUM_HISTORY);
    assert.equal(next[0]?.version, "4.21.0");
    assert.deepEqual(next.slice(1, 5), patches.slice(0, 4));
    assert.deepEqual(next.at(-1), patches.at(-1));
    assert.equal(next[1]?.state, "Completed");
  });

  test("scenario 42: first, newest five and newest completed survive whatever the history", () => {
    const version = fc.record({ minor: fc.nat(5), patch: fc.nat(9), completed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(version, { minLength: 8, maxLength: 30 }), (versions) => {
        const all = versions.map(({ minor, patch, completed }, index) =>
          entry(`4.${minor}.${patch}`, {
            state: completed ? "Completed" : "Partial",
            image: `image-${index}`,
          }),
        );
        const left = pruned(all, all.length - 1);
        assert.equal(left.length, all.length - 1);
        assert.deepEqual(left.slice(0, 5), all.slice(0, 5));
        assert.deepEqual(left.at(-1), all.at(-1));
        const newest = all.find(({ state }) => state === "Completed");
        assert.ok(newest === undefined || left.includes(newest));
      }),
    );
  });

  test("a partial move within a minor goes before one between minors, and an old patch before both edges of its minor", () => {
    const newest = ["4.9.5", "4.9.4", "4.9.3", "4.9.2", "4.9.1"].map((version) => entry(version));
    const withPatch = [
      ...newest,
      partial("4.8.2"),
      entry("4.8.1"),
      partial("4.8.1"),
      entry("4.8.0"),
      entry("4.7.0"),
    ];
    assert.deepEqual(
      pruned(withPatch, 9)
        .filter(({ state }) => state === "Partial")
        .map(({ version }) => version),
      ["4.8.2"],
    );
  });

  test("a removed entry never takes a history below its size", () => {
    assert.equal(pruned([entry("4.1.0")], 100).length, 1);
  });
});

describe("the mode that a history shows", () => {
  test("is told from what was completed", () => {
    assert.equal(modeOf([], "a"), "Initializing");
    assert.equal(modeOf([partial("1.0.0")], "reg.example/rel:1.0.0"), "Initializing");
    assert.equal(modeOf([entry("1.0.0")], "reg.example/rel:1.0.0"), "Reconciling");
    assert.equal(modeOf([entry("1.0.0")], "reg.example/rel:1.0.1"), "Updating");
    assert.equal(modeOf([partial("1.0.1"), entry("1.0.0")], "reg.example/rel:1.0.1"), "Updating");
  });
});
