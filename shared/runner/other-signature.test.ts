import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import { type Cause, signedCause } from "../bus/item.ts";
import { type Log, silent } from "../log/log.ts";
import { OtherSignatures } from "./other-signature.ts";

const clock = manualClock();
const causeFor = (signature?: string): Cause => ({
  sort: "command",
  eventId: `for ${signature}`,
  type: "function.changed",
  revives: true,
  at: new Date(clock.now()).toISOString(),
  signature,
});
const itemOf = (...signatures: (string | undefined)[]) => ({
  function: "f",
  key: "c/g/K/n/a",
  lane: "sweep" as const,
  causes: signatures.map(causeFor),
  causesIncomplete: false,
  enqueuedAt: 0,
  attempt: 1,
});

function worker(signatures: Readonly<Record<string, string>> | undefined) {
  const told: string[] = [];
  const log: Log = {
    ...silent,
    info: (_, message) => void told.push(`info ${message}`),
    warn: (_, message) => void told.push(`warn ${message}`),
  };
  return { told, others: new OtherSignatures({ signatures, clock, log }) };
}

describe("what was published for another version of a function", () => {
  test("goes back without an attempt from a worker of the old one, and is run by one of the new one", () => {
    const old = worker({ f: "old" });
    const refused = old.others.refuse(itemOf("new"));
    assert.equal(refused?.error.code, "FUNCTION_OF_ANOTHER_VERSION");
    assert.equal(refused?.run.outcome, "away");
    old.others.refuse(itemOf("new"));
    assert.equal(old.told.length, 1, "told once");
    assert.equal(worker({ f: "new" }).others.refuse(itemOf("new")), undefined);
  });

  test("may be run anywhere where nobody asked for a version, or the worker knows none", () => {
    assert.equal(worker({ f: "old" }).others.refuse(itemOf(undefined)), undefined);
    assert.equal(worker({ other: "old" }).others.refuse(itemOf("new")), undefined);
    assert.equal(worker(undefined).others.refuse(itemOf("new")), undefined);
  });

  test("counts by its newest publishing: after a roll-back the old version is the right one", () => {
    assert.equal(worker({ f: "old" }).others.refuse(itemOf("new", "old", undefined)), undefined);
    assert.equal(
      worker({ f: "new" }).others.refuse(itemOf("new", "old", undefined))?.error.code,
      "FUNCTION_OF_ANOTHER_VERSION",
    );
    assert.equal(signedCause(itemOf("new", "old", undefined).causes)?.signature, "old");
  });

  test("waits for ten minutes at most, and then the log says that the wrong version ran it", async () => {
    const { told, others } = worker({ f: "old" });
    const item = itemOf("new");
    await clock.advance(10 * 60_000 - 1);
    assert.ok(others.refuse(item));
    await clock.advance(1);
    assert.equal(others.refuse(item), undefined);
    assert.match(told.at(-1) ?? "", /^warn f: no worker took for ten minutes/);
  });
});
