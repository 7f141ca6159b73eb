import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import type { KubeObject } from "../kube/object.ts";
import { Hints } from "./hints.ts";

const object = (
  resourceVersion: string,
  over: { readonly uid?: string; readonly text?: string } = {},
): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", uid: over.uid ?? "u", resourceVersion },
  data: { text: over.text ?? "" },
});
const versionOf = (hints: Hints, subject: string): string | undefined =>
  hints.get(subject)?.metadata.resourceVersion;

describe("what a host has just seen", () => {
  test("never goes back to an older version of the same object", () => {
    const hints = new Hints(manualClock());
    hints.saw("a", object("10"));
    hints.saw("a", object("9"));
    assert.equal(versionOf(hints, "a"), "10");
    hints.saw("a", object("11"));
    assert.equal(versionOf(hints, "a"), "11");
    hints.saw("a", object("12", { uid: "another" }));
    assert.equal(versionOf(hints, "a"), "12");
    hints.saw("a", object("11"));
    assert.equal(versionOf(hints, "a"), "12", "a late answer about the one that was there before");
    hints.gone("a", "13");
    assert.equal(versionOf(hints, "a"), undefined);
    hints.saw("a", object("12", { uid: "another" }));
    assert.equal(versionOf(hints, "a"), undefined, "a late answer does not bring it back");
    hints.saw("a", object("14", { uid: "third" }));
    assert.equal(versionOf(hints, "a"), "14");
  });

  test("knows nothing any more once the API server went back", () => {
    const hints = new Hints(manualClock(), { busy: 3_000, atRest: 3_000 });
    const text = "x".repeat(1_000);
    for (const subject of ["a", "b"]) hints.saw(subject, object("100", { text }));
    hints.forgetAll();
    assert.equal(versionOf(hints, "a"), undefined);
    for (const subject of ["c", "d"]) hints.saw(subject, object("50", { text }));
    assert.deepEqual(
      ["c", "d"].map((subject) => versionOf(hints, subject)),
      ["50", "50"],
      "the room is free again",
    );
  });

  test("is bounded by size: what was seen longest ago goes first", () => {
    const hints = new Hints(manualClock(), { busy: 3_000, atRest: 3_000 });
    const text = "x".repeat(1_000);
    for (const subject of ["a", "b", "a", "c"]) hints.saw(subject, object("1", { text }));
    assert.deepEqual(
      ["a", "b", "c"].map((subject) => versionOf(hints, subject)),
      ["1", undefined, "1"],
    );
    hints.saw("huge", object("1", { text: "x".repeat(4_000) }));
    assert.equal(versionOf(hints, "huge"), undefined);
  });

  test("shrinks once nothing new was seen for a while", async () => {
    const clock = manualClock();
    const hints = new Hints(clock, { busy: 1_000_000, atRest: 3_000 });
    const text = "x".repeat(1_000);
    for (const subject of ["a", "b", "c"]) hints.saw(subject, object("1", { text }));
    await clock.advance(4_000);
    hints.saw("d", object("1", { text }));
    await clock.advance(4_000);
    assert.equal(versionOf(hints, "a"), "1");
    await clock.advance(2_000);
    assert.deepEqual(
      ["a", "b", "c", "d"].map((subject) => versionOf(hints, subject)),
      [undefined, undefined, "1", "1"],
    );
  });
});
