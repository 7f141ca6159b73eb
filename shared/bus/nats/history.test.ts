import assert from "node:assert/strict";
import { test } from "vitest";
import { systemClock } from "../../clock/clock.ts";
import { silent } from "../../log/log.ts";
import type { RunRecord } from "../run-record.ts";
import { HistoryWriter } from "./history.ts";
import { Names } from "./names.ts";
import type { Wire } from "./wire.ts";

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
