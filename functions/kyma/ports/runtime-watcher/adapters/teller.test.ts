import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { eventually } from "../../../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../../../infra/testing/manual-clock.ts";
import type { Clock } from "../../../../../shared/clock/clock.ts";
import { silent } from "../../../../../shared/log/log.ts";
import { WaitingFolder } from "./folder.ts";
import { Teller } from "./teller.ts";

const HOUR = 3_600_000;

it("tells and beats on while a clock is set back by an hour", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-teller-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const passing = new ManualClock();
  let shift = 0;
  const clock: Clock = {
    now: () => passing.now() + shift,
    after: (milliseconds, then) => passing.after(milliseconds, then),
    sleep: (milliseconds, signal) => passing.sleep(milliseconds, signal),
  };
  const told: object[] = [];
  const waiting = new WaitingFolder(folder, silent);
  const teller = new Teller({
    folder: waiting,
    send: async (_manager, body) => void told.push(body),
    manager: "m",
    beat: 60_000,
    clock,
    log: silent,
  });
  onTestFinished(() => teller.stop());
  const beats = (): number => told.filter((body) => "beat" in body).length;
  teller.start();
  await eventually("its start to be told", async () => told.length === 2 && passing.alarms === 1);
  shift = -HOUR;
  passing.advance(1_000);
  await eventually("the rest to be told", async () => waiting.size === 0 && passing.alarms === 1);
  assert.deepEqual([told.length, beats()], [3, 1]);
  passing.advance(60_000);
  await eventually("a beat", async () => beats() === 2 && passing.alarms === 1);
  shift = HOUR;
  passing.advance(60_000);
  await eventually("another", async () => beats() === 3 && passing.alarms === 1);
  assert.equal(told.length, 5);
});
