import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { PlanStatus } from "../../kinds/index.ts";
import { aggregated, lastRun } from "./aggregate.ts";

const run = (status: PlanStatus["status"], rest: Partial<PlanStatus> = {}): PlanStatus => ({
  status,
  ...rest,
});
const [EARLY, LATE] = ["2020-05-01T10:00:00Z", "2020-05-01T11:00:00Z"];

describe("the summary of all plans", () => {
  const none = { activePlanName: "", activePlanUID: "" };
  it("is that none ever ran", () => {
    assert.deepEqual(aggregated(undefined), { status: "NEVER_RUN", ...none });
    assert.deepEqual(aggregated({ deploy: run("NEVER_RUN"), backup: {} }), { status: "NEVER_RUN", ...none });
  });

  it("is the one that runs, whatever ended later", () => {
    const entries = { deploy: run("IN_PROGRESS", { uid: "u-1" }), backup: run("COMPLETE", { execution: 9 }) };
    assert.deepEqual(aggregated(entries), {
      status: "IN_PROGRESS",
      activePlanName: "deploy",
      activePlanUID: "u-1",
    });
    assert.equal(aggregated({ deploy: run("PENDING") }).activePlanUID, "");
  });

  it("is how the last one ended: by its number, by its time where upstream gave none", () => {
    const numbered = { a: run("COMPLETE", { execution: 2 }), b: run("FATAL_ERROR", { execution: 10 }) };
    assert.equal(aggregated(numbered).status, "FATAL_ERROR");
    const timed = {
      a: run("FATAL_ERROR", { lastUpdatedTimestamp: LATE }),
      b: run("COMPLETE", { lastUpdatedTimestamp: EARLY }),
      c: run("COMPLETE"),
      d: run("COMPLETE", { lastUpdatedTimestamp: "soon" }),
    };
    assert.equal(aggregated(timed).status, "FATAL_ERROR");
    const both = { ...timed, e: run("COMPLETE", { execution: 1, lastUpdatedTimestamp: EARLY }) };
    assert.equal(aggregated(both).status, "COMPLETE", "a run of ours is later than each of upstream's");
  });
});

it("the last run is looked for among the plans that are asked for", () => {
  const entries = { deploy: run("COMPLETE", { execution: 1 }), backup: run("FATAL_ERROR", { execution: 2 }) };
  assert.equal(lastRun(entries)?.status, "FATAL_ERROR");
  assert.equal(lastRun(entries, ["deploy"])?.status, "COMPLETE");
  assert.equal(lastRun(entries, ["update"]), undefined);
});
