import assert from "node:assert/strict";
import { test } from "vitest";
import { silent } from "../../shared/log/log.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { Heartbeat } from "./heartbeat.ts";

test("beats once a minute while the watcher leads, never while it does not, and never after its end", async () => {
  const clock = new ManualClock();
  let leads = true;
  let beats = 0;
  const heartbeat = new Heartbeat({
    alive: () => leads,
    send: async () => {
      beats += 1;
    },
    clock,
    log: silent,
  });
  await clock.advance(3 * 60_000);
  assert.equal(beats, 3);
  leads = false;
  await clock.advance(5 * 60_000);
  assert.equal(beats, 3);
  leads = true;
  await clock.advance(60_000);
  assert.equal(beats, 4);
  await heartbeat.stop();
  await clock.advance(10 * 60_000);
  assert.equal(beats, 4);
});

test("goes on after beats that could not be sent, and says so once", async () => {
  const clock = new ManualClock();
  const warnings: string[] = [];
  let isAway = true;
  let beats = 0;
  const heartbeat = new Heartbeat({
    alive: () => true,
    send: async () => {
      if (isAway) throw new Error("no route to host");
      beats += 1;
    },
    clock,
    log: { ...silent, warn: (_fields: object, text: string) => void warnings.push(text) },
  });
  await clock.advance(3 * 60_000);
  isAway = false;
  await clock.advance(60_000);
  assert.equal(beats, 1);
  assert.equal(warnings.length, 1);
  await heartbeat.stop();
});
