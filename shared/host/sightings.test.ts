import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { manualClock } from "../clock/manual.ts";
import type { KubeObject } from "../kube/object.ts";
import { Sightings } from "./sightings.ts";

const object = (
  resourceVersion: string,
  over: { readonly uid?: string; readonly text?: string } = {},
): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", uid: over.uid ?? "u", resourceVersion },
  data: { text: over.text ?? "" },
});
const versionOf = (sightings: Sightings, subject: string): string | undefined =>
  sightings.get(subject)?.metadata.resourceVersion;

describe("what a host has just seen", () => {
  test("never goes back to an older version of the same object", () => {
    const sightings = new Sightings(manualClock());
    sightings.saw("a", object("10"));
    sightings.saw("a", object("9"));
    assert.equal(versionOf(sightings, "a"), "10");
    sightings.saw("a", object("11"));
    assert.equal(versionOf(sightings, "a"), "11");
    sightings.saw("a", object("12", { uid: "another" }));
    assert.equal(versionOf(sightings, "a"), "12");
    sightings.saw("a", object("11"));
    assert.equal(versionOf(sightings, "a"), "12", "a late answer about the one that was there before");
    sightings.gone("a", "13");
    assert.equal(versionOf(sightings, "a"), undefined);
    sightings.saw("a", object("12", { uid: "another" }));
    assert.equal(versionOf(sightings, "a"), undefined, "a late answer does not bring it back");
    sightings.saw("a", object("14", { uid: "third" }));
    assert.equal(versionOf(sightings, "a"), "14");
  });

  test("knows nothing any more once the API server went back", () => {
    const sightings = new Sightings(manualClock(), { busy: 3_000, atRest: 3_000 });
    const text = "x".repeat(1_000);
    for (const subject of ["a", "b"]) sightings.saw(subject, object("100", { text }));
    sightings.forgetAll();
    assert.equal(versionOf(sightings, "a"), undefined);
    for (const subject of ["c", "d"]) sightings.saw(subject, object("50", { text }));
    assert.deepEqual(
      ["c", "d"].map((subject) => versionOf(sightings, subject)),
      ["50", "50"],
      "the room is free again",
    );
  });

  test("is bounded by size: what was seen longest ago goes first", () => {
    const sightings = new Sightings(manualClock(), { busy: 3_000, atRest: 3_000 });
    const text = "x".repeat(1_000);
    for (const subject of ["a", "b", "a", "c"]) sightings.saw(subject, object("1", { text }));
    assert.deepEqual(
      ["a", "b", "c"].map((subject) => versionOf(sightings, subject)),
      ["1", undefined, "1"],
    );
    sightings.saw("huge", object("1", { text: "x".repeat(4_000) }));
    assert.equal(versionOf(sightings, "huge"), undefined);
  });

  test("shrinks once nothing new was seen for a while", async () => {
    const clock = manualClock();
    const sightings = new Sightings(clock, { busy: 1_000_000, atRest: 3_000 });
    const text = "x".repeat(1_000);
    for (const subject of ["a", "b", "c"]) sightings.saw(subject, object("1", { text }));
    await clock.advance(4_000);
    sightings.saw("d", object("1", { text }));
    await clock.advance(4_000);
    assert.equal(versionOf(sightings, "a"), "1");
    await clock.advance(2_000);
    assert.deepEqual(
      ["a", "b", "c", "d"].map((subject) => versionOf(sightings, subject)),
      [undefined, undefined, "1", "1"],
    );
  });
});
