import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, type TestContext, test } from "vitest";
import { eventually } from "../testing/eventually.ts";

const LIMIT = 60_000;
const program = new URL("../../test/hosts/watched-child.ts", import.meta.url).pathname;

function start(t: TestContext, how: string, flags: readonly string[] = []) {
  const child: ChildProcess = spawn(process.execPath, [...flags, program, how], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.onTestFinished(() => void child.kill("SIGKILL"));
  const on = { child, said: "" };
  child.stdout?.on("data", (text: Buffer) => {
    on.said += text.toString();
  });
  return on;
}
const lives = ({ said }: { readonly said: string }): number => said.split("lives").length - 1;

describe("a watchdog", () => {
  test("ends a process whose event loop stands still, and says why", async (t) => {
    const on = start(t, "still");
    const [code, signal] = await once(on.child, "exit");
    assert.deepEqual([code, signal], [null, "SIGALRM"]);
    assert.match(on.said, /"level":"fatal".*"code":"WATCHDOG".*stood still for longer than watchdog\.limit/);
  });

  test("leaves one alone that was stopped and goes on", async (t) => {
    const on = start(t, "well");
    await eventually("it lives", () => lives(on) > 3, LIMIT);
    const stopped = Date.now();
    on.child.kill("SIGSTOP");
    await eventually("a time beyond its limit has passed", () => Date.now() - stopped > 2_500, LIMIT);
    on.child.kill("SIGCONT");
    const before = lives(on);
    await eventually("it lives on", () => lives(on) > before + 20, LIMIT);
    assert.equal(on.child.exitCode ?? on.child.signalCode, null);
  });

  test("leaves one alone that is under an inspector", async (t) => {
    const on = start(t, "still", ["--inspect=127.0.0.1:0"]);
    await eventually("it began", () => on.said.includes("begun"), LIMIT);
    const began = Date.now();
    await eventually("a time beyond its limit has passed", () => Date.now() - began > 3_000, LIMIT);
    assert.equal(on.child.exitCode ?? on.child.signalCode, null);
  });
});
