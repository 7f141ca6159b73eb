import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { BusError } from "./errors.ts";
import { leftToSend, withoutRoom } from "./found.ts";
import type { NewItem } from "./item.ts";
import { keyName } from "./key-name.ts";

const itemOf = (key: string): NewItem => ({
  function: "f",
  key,
  lane: "sweep",
  cause: {
    sort: "dependency",
    eventId: key,
    type: "resource.changed",
    revives: false,
    at: "2026-01-15T10:00:00Z",
  },
});
const sweep = { wake: 0, subject: { cluster: "c", name: "hub" }, facts: [], gone: false, incomplete: false };

describe("the items that a sweep found", () => {
  const items = ["c", "a", "b"].map(itemOf);
  it("are sent in the order of their keys, all of them at first", () => {
    for (const first of [undefined, sweep])
      assert.deepEqual(
        leftToSend(items, first).map(({ item }) => item.key),
        ["a", "b", "c"],
      );
  });
  it("go on after the last one that stands", () => {
    const after = keyName(itemOf("a"));
    assert.deepEqual(
      leftToSend(items, { ...sweep, after }).map(({ item }) => item.key),
      ["b", "c"],
    );
  });
});

it("a run that found more than there is room for waits for the bus, and has written what it wrote", () => {
  const run = {
    id: "1",
    function: "f",
    key: "k",
    lane: "sweep" as const,
    attempt: 1,
    startedAt: "2026-01-15T10:00:00Z",
    milliseconds: 1,
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    causes: [],
    reads: [],
    writes: [],
    outcome: "done" as const,
    waitingFor: [],
    deadlines: {},
  };
  const echoes = [{ uid: "u", resourceVersion: "2" }];
  const ended = withoutRoom(
    { state: "finished", echoes, waits: [], deadlines: {}, net: undefined, again: false, enqueue: [], run },
    new BusError("BUS_FULL", "No room."),
  );
  assert.deepEqual(ended, {
    state: "parked",
    behind: "bus",
    milliseconds: 2000,
    error: { code: "BUS_FULL", message: "No room." },
    echoes,
    run,
  });
});
