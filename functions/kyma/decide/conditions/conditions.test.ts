import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { conditionsOf, good } from "./conditions.ts";

const [BEFORE, NOW] = ["2026-02-03T10:00:00Z", "2026-03-01T12:00:00Z"];

describe("the conditions of a Kyma that lifecycle-manager has left", () => {
  it("keep their time, and name no generation that nobody keeps up to date", () => {
    const left = {
      ...{ type: "Modules" as const, status: "True" as const, reason: "Ready", message: "" },
      ...{ lastTransitionTime: BEFORE, observedGeneration: 1 },
    };
    const [said] = conditionsOf({ conditions: [left] }, ["Modules"], [good("Modules")], NOW);
    assert.deepEqual(said, { ...good("Modules"), lastTransitionTime: BEFORE });
  });
});
