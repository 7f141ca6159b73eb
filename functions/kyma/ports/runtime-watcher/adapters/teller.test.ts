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

it("tells its own manager that anything changed where one asks for too many", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-teller-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const waiting = new WaitingFolder(folder, silent);
  const teller = new Teller({
    folder: waiting,
    send: () => new Promise(() => undefined),
    manager: "m",
    beat: HOUR,
    clock: new ManualClock(),
    log: silent,
  });
  for (let i = 0; i < 300; i++)
    teller.tell({ group: "g", version: "v1", kind: "K", namespace: "n", name: "a", manager: `made-up-${i}` });
  const managers = [...waiting.all()].map(({ change }) => change.manager);
  assert.equal(managers.filter((manager) => manager.startsWith("made-up-")).length, 100);
  assert.deepEqual(
    [...waiting.all()].filter(({ change }) => change.manager === "m").map(({ change }) => change.kind),
    [""],
  );
});

it("lets no manager that takes nothing hold up what others are to be told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-teller-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clock = new ManualClock();
  const sent: string[] = [];
  const waiting = new WaitingFolder(folder, silent);
  const teller = new Teller({
    folder: waiting,
    send: async (manager) => {
      sent.push(manager);
      if (manager === "gone") throw new Error("404");
    },
    manager: "m",
    beat: HOUR,
    clock,
    log: silent,
    random: () => 0,
  });
  onTestFinished(() => teller.stop());
  const object = { group: "g", version: "v1", kind: "K", namespace: "n" };
  for (let i = 0; i < 1_000; i++) teller.tell({ ...object, manager: "gone", name: `${i}` });
  teller.tell({ ...object, manager: "m", name: "one" });
  await eventually("the other one is told", async () => sent.includes("m") && clock.alarms === 1);
  const tries = (): number => sent.filter((manager) => manager === "gone").length;
  for (const [index, pause] of [250, 500, 1_000].entries()) {
    assert.equal(tries(), index + 1);
    clock.advance(pause - 1);
    assert.equal(tries(), index + 1);
    clock.advance(1);
    await eventually("one more try", async () => tries() === index + 2 && clock.alarms === 1);
  }
});

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
