import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readiness } from "../coordination/index.ts";
import { type BoardOperator, boardOf } from "./board.ts";
import { type HeartbeatLease, heartbeatsOf, silentOperators } from "./heartbeat.ts";

const scheduler: BoardOperator & {
  readonly metadata: { name: string; uid: string; resourceVersion: string };
} = {
  metadata: { name: "scheduler", uid: "u1", resourceVersion: "5" },
  status: {
    conditions: [
      {
        type: "Available",
        status: "True",
        lastTransitionTime: "2026-02-01T08:00:00Z",
        message: "It answers",
      },
      { type: "Progressing", status: "False" },
      { type: "Degraded", status: "False" },
    ],
    versions: [{ name: "operator", version: "1.14.0" }],
    relatedObjects: [
      { group: "", resource: "namespaces", name: "demo-scheduler" },
      { group: "coordination.k8s.io", resource: "leases", namespace: "demo-scheduler", name: "operator" },
    ],
  },
};
const lease = (renewTime: string): HeartbeatLease => ({
  metadata: { namespace: "demo-scheduler", name: "operator" },
  spec: { renewTime },
});
const MINUTES_10 = 600_000;

describe("boardOf", () => {
  it("shows what kubectl shows, by name, and the gravest thing that is said", () => {
    const broken: BoardOperator = {
      metadata: { name: "dns" },
      status: {
        conditions: [
          { type: "Progressing", status: "True", message: "Moving to 1.14.0" },
          { type: "Degraded", status: "True", message: "Half of the servers are away" },
          { type: "Available", status: "yes" },
          { type: "Upgradeable", status: "False", message: "Not now" },
        ],
      },
    };
    assert.deepEqual(boardOf([scheduler, broken, { metadata: { name: "api" } }]), [
      { name: "api", available: "", progressing: "", degraded: "", done: false, message: "" },
      {
        name: "dns",
        available: "Unknown",
        progressing: "True",
        degraded: "True",
        upgradeable: "False",
        done: false,
        message: "Half of the servers are away",
      },
      {
        name: "scheduler",
        version: "1.14.0",
        available: "True",
        progressing: "False",
        degraded: "False",
        done: true,
        since: "2026-02-01T08:00:00Z",
        message: "",
      },
    ]);
  });
});

describe("silentOperators", () => {
  const now = "2026-02-03T09:10:00Z";

  it("scenario 36: shows an operator that has stopped its heartbeat as silent, while what it wrote counts on", () => {
    const last = "2026-02-03T08:59:00Z";
    const silent = silentOperators([scheduler], [lease(last)], MINUTES_10, now);
    assert.equal(boardOf([scheduler], silent)[0]?.silentSince, last);
    assert.equal(boardOf([scheduler], silent)[0]?.available, "True");
    const dependency = { consumer: "console", operator: "scheduler", version: "1.14.0" };
    assert.equal(readiness(dependency, scheduler).ready, true);
  });

  it("hears of one by any of its Leases, and asks nothing of one that names none", () => {
    assert.equal(silentOperators([scheduler], [lease("2026-02-03T09:00:00Z")], MINUTES_10, now).size, 0);
    assert.deepEqual(heartbeatsOf(scheduler), [{ namespace: "demo-scheduler", name: "operator" }]);
    assert.equal(silentOperators([{ metadata: { name: "dns" } }], [], MINUTES_10, now).size, 0);
    assert.equal(
      silentOperators([scheduler], [{ ...lease(""), spec: { renewTime: null } }], MINUTES_10, now).size,
      0,
    );
  });
});
