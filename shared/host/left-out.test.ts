import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { itemOf, leaseOf } from "../../infra/testing/one-run.ts";
import type { Finished } from "../bus/contract.ts";
import type { RecordedEvent, RunRecord } from "../bus/run-record.ts";
import { Untold } from "../hints/untold.ts";
import { wokenByWhatWasLeftOut } from "./left-out.ts";

const SUBJECT = "g/Cup/a/one";
const wait = { cluster: "c", group: "g", kind: "Cup", namespace: "a", name: "one" };
const told: RecordedEvent = {
  id: "event-7",
  type: "resource.changed",
  subject: SUBJECT,
  uid: "u",
  resourceVersion: "7",
  time: "2026-01-15T10:00:00Z",
};
const record: RunRecord = {
  id: "run",
  function: "f",
  key: "k",
  lane: "urgent",
  attempt: 1,
  startedAt: told.time,
  milliseconds: 1,
  traceparent: "",
  causes: [],
  reads: [],
  writes: [],
  outcome: "waiting",
  waitingFor: [],
  deadlines: {},
};
const ending = (more: Partial<Finished> = {}, reads: RunRecord["reads"] = []): Finished => ({
  state: "finished",
  echoes: [],
  waits: [wait],
  deadlines: undefined,
  net: undefined,
  again: false,
  enqueue: [],
  run: { ...record, reads },
  ...more,
});
const lease = leaseOf(itemOf("f", "k", { causes: [] }));

/** The keys that a run wakes at its end, during which the Cup's version 7 was left out. */
async function woken(untold: Untold, end: Finished): Promise<readonly string[]> {
  const work = wokenByWhatWasLeftOut(async () => {
    untold.left(SUBJECT, told);
    return end;
  }, untold);
  const ended = await work(lease);
  assert.equal(ended.state, "finished");
  return ended.state === "finished" ? ended.enqueue.map(({ key, cause }) => `${key} ${cause.eventId}`) : [];
}

describe("a run that ends waiting for an object of which something was left out meanwhile", () => {
  it("looks once more", async () => {
    const untold = new Untold();
    assert.deepEqual(await woken(untold, ending()), ["k event-7"]);
    assert.ok(untold.isAnnounced(SUBJECT), "until its end is durable");
  });

  it("does not, where it saw it, wrote it, or does not wait", async () => {
    const saw = [{ subject: SUBJECT, uid: "u", resourceVersion: "7" }];
    assert.deepEqual(await woken(new Untold(), ending({}, saw)), []);
    const echoes = [{ uid: "u", resourceVersion: "7" }];
    assert.deepEqual(await woken(new Untold(), ending({ echoes })), []);
    assert.deepEqual(await woken(new Untold(), ending({ waits: [] })), []);
  });

  it("looks once more where it read an older version", async () => {
    const reads = [{ subject: SUBJECT, uid: "u", resourceVersion: "6" }];
    assert.deepEqual(await woken(new Untold(), ending({}, reads)), ["k event-7"]);
  });
});
