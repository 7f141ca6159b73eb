import assert from "node:assert/strict";
import { test } from "vitest";
import { systemClock } from "../../clock/clock.ts";
import { silent } from "../../log/log.ts";
import type { RunRecord } from "../run-record.ts";
import { HistoryReader, HistoryWriter } from "./history.ts";
import { Names } from "./names.ts";
import type { Stored, Wire } from "./wire.ts";

const runWith = (writes: number): RunRecord => ({
  id: "one-run",
  function: "widget",
  key: "c/g/K/n/a",
  lane: "urgent",
  attempt: 1,
  startedAt: "2026-01-01T00:00:00Z",
  milliseconds: 1,
  traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-01`,
  causes: [],
  reads: [],
  writes: Array.from({ length: writes }, (_, index) => ({
    verb: "apply",
    subject: `apps/Deployment/a-namespace-with-a-name/an-operator-with-a-name-${index}`,
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    resourceVersion: String(1_000_000 + index),
    paths: ["metadata.labels", "spec.replicas", "spec.selector", "spec.template"],
    sent: true,
  })),
  outcome: "done",
  waitingFor: [],
  deadlines: {},
});

test("a run's record is stored once, however much it wrote; each version that it wrote names it", async () => {
  const stored: { readonly subject: string; readonly text: string }[] = [];
  const wire: Pick<Wire, "store"> = {
    store: async (subject, text) => {
      stored.push({ subject, text });
      return { state: "stored", seq: stored.length };
    },
  };
  const names = new Names("r");
  const writer = new HistoryWriter(wire, names, systemClock, silent);
  const run = runWith(200);
  await writer.run(run);
  assert.equal(stored.length, 201);
  const whole = stored.filter(({ text }) => text.includes("an-operator-with-a-name"));
  assert.deepEqual(
    whole.map(({ subject }) => subject),
    [names.runsOf("widget")],
  );
  const notes = stored.slice(1);
  assert.equal(
    notes[7]?.subject,
    names.write(run.writes[7]?.uid ?? "", run.writes[7]?.resourceVersion ?? ""),
  );
  assert.deepEqual(JSON.parse(notes[7]?.text ?? ""), { version: 1, run: "one-run", seq: 1 });
  const bytes = stored.reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(bytes < 2 * JSON.stringify(run).length, `${bytes} bytes`);
});

test("a run that is stored while the history is read is found by the next reading", async () => {
  const names = new Names("r");
  const bytes = (record: object): Uint8Array =>
    new TextEncoder().encode(JSON.stringify({ at: systemClock.now(), records: [record] }));
  const stored: Stored[] = [{ subject: names.events, seq: 1, body: bytes({ id: "event-1" }), time: "" }];
  let meanwhile: readonly Stored[] = [
    { subject: names.runsOf("widget"), seq: 2, body: bytes({ ...runWith(0), id: "late" }), time: "" },
    { subject: names.events, seq: 3, body: bytes({ id: "event-3" }), time: "" },
  ];
  const list = async function* (
    _stream: string,
    subject: string,
    { from = 1 }: { readonly from?: number } = {},
  ): AsyncGenerator<Stored> {
    const prefix = subject.replace(/[*>]$/, "");
    yield* stored.filter((each) => each.seq >= from && each.subject.startsWith(prefix));
    stored.push(...meanwhile);
    meanwhile = [];
  };
  const bounds = { maximumRuns: 10, maximumAgeMilliseconds: 60_000 };
  const reader = new HistoryReader({ list } as unknown as Wire, names, systemClock, bounds);
  await reader.run("late");
  assert.equal((await reader.run("late"))?.id, "late");
});
