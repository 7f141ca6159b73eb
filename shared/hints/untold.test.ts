import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RecordedEvent } from "../bus/run-record.ts";
import { Untold } from "./untold.ts";

const told = (resourceVersion: string): RecordedEvent => ({
  id: resourceVersion,
  type: "resource.changed",
  time: "2026-01-15T10:00:00Z",
  resourceVersion,
});

describe("the versions that were left out", () => {
  it("are known to the runs that went on meanwhile, and to no later one", () => {
    const untold = new Untold();
    const run = untold.begins();
    untold.left("a", told("7"));
    const later = untold.begins();
    assert.deepEqual(untold.during(run, "a"), told("7"));
    assert.equal(untold.during(run, "b"), undefined);
    assert.equal(untold.during(later, "a"), undefined);
    untold.left("a", told("8"));
    assert.deepEqual(untold.during(later, "a"), told("8"));
    untold.ends(run);
    assert.deepEqual(untold.during(later, "a"), told("8"));
  });

  it("are not kept where nothing runs", () => {
    const untold = new Untold();
    untold.left("a", told("7"));
    assert.equal(untold.during({ since: 0 }, "a"), undefined);
  });

  it("are unknown to a run that went on while there were too many", () => {
    const untold = new Untold();
    const run = untold.begins();
    for (let one = 0; one <= 20_000; one++) untold.left(`a${one}`, told("7"));
    assert.equal(untold.during(run, "a0"), "unknown");
    assert.deepEqual(untold.during(run, "a20000"), told("7"));
    assert.equal(untold.during(untold.begins(), "a0"), undefined);
  });

  it("are told from what keys are about to wait for, until their end is durable", () => {
    const untold = new Untold();
    const key = { function: "f", key: "k" };
    untold.announce(key, ["a", "b"]);
    assert.ok(untold.isAnnounced("b"));
    untold.settled(key);
    assert.equal(untold.isAnnounced("b"), false);
  });
});
