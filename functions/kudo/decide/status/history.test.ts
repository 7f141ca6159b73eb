import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { InstanceStatus } from "../../kinds/index.ts";
import { historyOf, MOST_RUNS } from "./history.ts";

const entry = (plan: string, execution: number, status: "COMPLETE" | "FATAL_ERROR" | "IN_PROGRESS") => ({
  [plan]: { name: plan, uid: `run-${execution}`, execution, status },
});
const ends = (history: InstanceStatus["history"]) =>
  (history ?? []).map(({ execution, planName, status }) => `${execution} ${planName} ${status}`);

describe("the history of an Instance", () => {
  it("has the last ten runs, whatever their plans, oldest first", () => {
    let status: InstanceStatus = {};
    for (let execution = 1; execution <= 25; execution++) {
      const plan = execution % 2 === 0 ? "deploy" : "backup";
      const running = {
        ...status,
        planStatus: { ...status.planStatus, ...entry(plan, execution, "IN_PROGRESS") },
      };
      assert.deepEqual(historyOf(status, running), status.history, "what runs is no history");
      const ended = {
        ...running,
        planStatus: { ...running.planStatus, ...entry(plan, execution, "COMPLETE") },
      };
      const history = historyOf(running, ended) ?? [];
      status = { ...ended, history };
      assert.deepEqual(historyOf(running, status), history, "told twice is told once");
      assert.deepEqual(historyOf(status, status), history);
    }
    assert.equal(status.history?.length, MOST_RUNS);
    assert.deepEqual(ends(status.history).slice(0, 1), ["16 deploy COMPLETE"]);
    assert.deepEqual(ends(status.history).slice(-1), ["25 backup COMPLETE"]);
    assert.ok(JSON.stringify(status.history).length < 8_192);
  });

  it("leaves out what ran under upstream's manager, which counted nothing", () => {
    const planStatus = { deploy: { name: "deploy", uid: "old", status: "COMPLETE" as const } };
    assert.equal(historyOf(undefined, { planStatus }), undefined);
  });
});
