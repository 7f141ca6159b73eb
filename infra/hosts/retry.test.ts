import assert from "node:assert/strict";
import { test } from "vitest";
import { BusError } from "../../shared/bus/errors.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { silent } from "../../shared/log/log.ts";
import { manualClock } from "../testing/settling-clock.ts";
import { LedgerError } from "../watcher/index.ts";
import { eventually } from "./retry.ts";

/** What comes of an attempt that fails so a few times. */
async function after(thrown: unknown, times = 3) {
  const clock = manualClock();
  const reasons: string[] = [];
  let left = times;
  const going = eventually(
    () => {
      if (left-- > 0) throw thrown;
      return "there";
    },
    { clock, log: silent, signal: new AbortController().signal, waits: (reason) => reasons.push(reason) },
  );
  const ended = going.catch((error: unknown) => error);
  for (let times = 0; times < 5; times++) {
    await clock.settle();
    await clock.advance(10_000);
  }
  return { came: await ended, reasons };
}

test("a process waits for what may pass by itself, and says why", async () => {
  const passing: readonly Error[] = [
    new KubeError("unavailable", "nothing listens there", { request: "GET /" }),
    new BusError("BUS_UNREACHABLE", "no suitable peers for placement"),
    new BusError("BUS_FULL", "the disk is full"),
    new LedgerError("full", "ledger.db"),
    Object.assign(new Error("no space left on device"), { code: "ENOSPC" }),
  ];
  for (const thrown of passing) {
    const { came, reasons } = await after(thrown);
    assert.equal(came, "there", thrown.message);
    assert.deepEqual(reasons, [thrown.message, thrown.message, thrown.message]);
  }
});

test("it ends with what somebody has to change", async () => {
  for (const thrown of [
    new BusError("BUS_MISCONFIGURED", "rights are missing"),
    new LedgerError("locked", "ledger.db"),
    new LedgerError("newer", "ledger.db"),
    new TypeError("a bug"),
  ])
    assert.equal((await after(thrown)).came, thrown);
});
