import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { gateOf, type StageWait } from "./wait.ts";

const NOW = "2026-01-01T10:00:00.000Z";
const wait: StageWait = {
  stage: "csi",
  place: "after",
  condition: {
    objects: [
      { key: "csi", apiVersion: "apps/v1", kind: "Deployment", name: "csi", namespace: "kube-system" },
    ],
    conditions: "csi.status.ready",
  },
  verdict: {
    holds: false,
    reason: "EvaluateCELConditionFailed",
    severity: "Info",
    message: "it is not so yet: csi.status.ready",
  },
  startedAt: "2026-01-01T09:50:00Z",
  cluster: "@workload:team-a:demo",
};

describe("a stage that waits", () => {
  it("goes on where its condition holds, however late", () => {
    assert.deepEqual(gateOf({ ...wait, verdict: { holds: true } }, NOW, "1m"), { state: "holds" });
  });
  it("follows the condition's objects, and looks again at its deadline", () => {
    assert.deepEqual(gateOf(wait, NOW, "30m"), {
      state: "waits",
      verdict: {
        type: "EvaluatedCEL",
        status: "False",
        severity: "Info",
        reason: "EvaluateCELConditionFailed",
        message: "stage csi, waitForPostCondition: it is not so yet: csi.status.ready",
      },
      waits: [
        {
          for: "Deployment csi to fulfil stage csi, waitForPostCondition",
          object: {
            apiVersion: "apps/v1",
            kind: "Deployment",
            name: "csi",
            namespace: "kube-system",
            cluster: "@workload:team-a:demo",
          },
        },
      ],
      wakeAt: { stage: "2026-01-01T10:20:00.000Z" },
    });
  });
  it("follows an object that names no namespace where it is looked for", () => {
    for (const namespace of [undefined, ""]) {
      const objects = wait.condition.objects.map((one) => ({ ...one, namespace }));
      const gate = gateOf({ ...wait, condition: { ...wait.condition, objects } }, NOW, "30m");
      assert.deepEqual(gate, gateOf(wait, NOW, "30m"));
    }
  });
  it("says that it is late, and goes on following them", () => {
    const gate = gateOf(wait, NOW, "10m");
    assert.ok(gate.state === "waits");
    assert.deepEqual([gate.verdict.severity, gate.verdict.reason], ["Error", "StageDeadlineExceeded"]);
    assert.match(gate.verdict.message ?? "", /longer than 10m, since 2026-01-01T09:50:00Z; it is not so yet/);
    assert.deepEqual([gate.waits.length, gate.wakeAt], [1, {}]);
  });
});
