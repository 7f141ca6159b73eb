import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { bounded, boundedState } from "./bounded.ts";
import type { SweepSource } from "./item.ts";
import { freshKey, type KeyState } from "./key-state.ts";
import type { Waiting } from "./waiting.ts";

const sweepOf = (...texts: readonly string[]): SweepSource => ({
  wake: 0,
  subject: { cluster: "c", name: "hub" },
  facts: texts.map((text) => ({ text })),
  gone: false,
  incomplete: false,
});
const waitingOf = (sweep?: SweepSource): Waiting => ({
  lane: "sweep",
  causes: [],
  causesIncomplete: false,
  sweep,
  notBefore: 0,
  enqueuedAt: 0,
});
const small = sweepOf("now", "before");
const long = "é".repeat(400);

const boundedSweep = (sweep: SweepSource, mostBytes: number) => bounded(waitingOf(sweep), mostBytes).sweep;

describe("a sweep in so many bytes", () => {
  it("stays as it is where it is small", () => {
    assert.equal(boundedSweep(small, 1000), small);
  });
  it("keeps the present where that is small, and is incomplete", () => {
    assert.deepEqual(boundedSweep(sweepOf("now", long), 600), { ...sweepOf("now"), incomplete: true });
  });
  it("keeps no facts where the present alone is too long, or nothing is known", () => {
    assert.deepEqual(boundedSweep(sweepOf(long, "before"), 600)?.facts, []);
    const many = { ...sweepOf(), after: "x".repeat(700) };
    assert.deepEqual(boundedSweep(many, 600), { ...many, incomplete: true });
  });
});

describe("what is kept of a key", () => {
  const stateOf = (waits?: SweepSource, runs?: SweepSource, owes?: SweepSource): KeyState => ({
    ...freshKey,
    waiting: waitingOf(waits),
    running: {
      item: {
        ...{ function: "f", key: "k", lane: "sweep", causes: [], causesIncomplete: false, attempt: 1 },
        ...{ enqueuedAt: 0, sweep: runs },
      },
      owner: 1,
      token: 1,
      takenAt: 0,
    },
    dead: {
      error: { code: "X", message: "x" },
      ...{ attempts: 4, causes: [], at: "2026-01-15T10:00:00Z", subjects: {}, sweep: owes },
    },
  });
  const sweepsIn = ({ waiting, running, dead }: KeyState) => [
    waiting?.sweep,
    running?.item.sweep,
    dead?.sweep,
  ];

  it("stays as it is where nothing in it sweeps", () => {
    const state = stateOf();
    assert.equal(boundedState(state, 1), state);
  });
  it("is bounded in what waits, in what runs, and in what a dead one owes", () => {
    const [much, cut] = [sweepOf("now", long), { ...sweepOf("now"), incomplete: true }];
    assert.deepEqual(sweepsIn(boundedState(stateOf(much), 600)), [cut, undefined, undefined]);
    assert.deepEqual(sweepsIn(boundedState(stateOf(undefined, much), 600)), [undefined, cut, undefined]);
    assert.deepEqual(sweepsIn(boundedState(stateOf(undefined, undefined, much), 600)), [
      undefined,
      undefined,
      cut,
    ]);
    assert.deepEqual(sweepsIn(boundedState(stateOf(small, small, small), 600)), [small, small, small]);
  });
});
