import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { silent } from "../../shared/log/log.ts";
import { eventually } from "../testing/eventually.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { Child } from "./child.ts";

function started(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "child-"));
  const errors: string[] = [];
  const child = new Child({
    program: "/bin/sh",
    flags: ["-c", "exec sleep 600"],
    logFile: join(folder, "log"),
    log: { ...silent, error: (_: unknown, message?: string) => void errors.push(message ?? "") },
  });
  const clock = new ManualClock();
  child.start();
  t.onTestFinished(async () => {
    await child.kill();
    rmSync(folder, { recursive: true });
  });
  /** Somebody else ends it. */
  const dies = async (): Promise<void> => {
    const { pid } = child;
    assert.ok(pid !== undefined);
    process.kill(pid, "SIGKILL");
    await eventually("it to be gone", () => child.pid === undefined);
  };
  return { child, clock, errors, dies };
}

test("a program that is kept alive is started again when it ends by itself, until that goes on and on", async (t) => {
  const { child, clock, errors, dies } = started(t);
  child.keepAlive(clock);
  for (const pause of [1000, 2000, 4000, 8000, 16_000]) {
    await dies();
    await clock.advance(pause - 1);
    assert.equal(child.pid, undefined);
    await clock.advance(1);
    assert.ok(child.pid !== undefined);
  }
  await dies();
  await clock.advance(600_000);
  assert.equal(child.pid, undefined);
  assert.match(errors.at(-1) ?? "", /stays down: read its log, end this with Ctrl-C, and start it anew/);
});

test("one that is ended on purpose, or not kept alive, stays down", async (t) => {
  const { child, clock, errors, dies } = started(t);
  await dies();
  assert.deepEqual([clock.alarms, errors.length], [0, 1]);
  child.keepAlive(clock);
  child.start();
  await child.kill();
  assert.equal(clock.alarms, 0);
  child.start();
  await dies();
  assert.equal(clock.alarms, 1);
  await child.kill();
  assert.deepEqual([clock.alarms, child.pid], [0, undefined]);
});
