import assert from "node:assert/strict";
import { test } from "vitest";
import type { Obj } from "../../../shared/kube/kind.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { Instance } from "../index.ts";
import type { ExecutionStatus, InstanceSpec, InstanceStatus } from "../kinds/index.ts";
import { History } from "./invariants.ts";

const LOCK = { planName: "deploy", uid: "u1" };
const instance = (status: InstanceStatus, lock: InstanceSpec["planExecution"] = LOCK): Obj<typeof Instance> =>
  parseObject(Instance, {
    apiVersion: "kudo.dev/v1beta1",
    kind: "Instance",
    metadata: { name: "db", namespace: "shop", uid: "db", generation: 1, resourceVersion: "1" },
    spec: { ...(lock !== undefined && { planExecution: lock }) },
    status,
  });
const consumed = (execution: number, planUID: string) => ({
  execution,
  planName: "deploy",
  planUID,
  operatorVersion: {},
});
const run = (status: ExecutionStatus, uid = "u1", execution = 1): InstanceStatus => ({
  observedGeneration: 1,
  executions: execution,
  lastStarted: consumed(execution, uid),
  aggregatedStatus: ["COMPLETE", "FATAL_ERROR"].includes(status)
    ? { status, activePlanName: "", activePlanUID: "" }
    : { status, activePlanName: "deploy", activePlanUID: uid },
  planStatus: { deploy: { name: "deploy", uid, execution, status } },
});
const idle = { planName: "", uid: "" };

const good = [instance(run("PENDING")), instance(run("IN_PROGRESS")), instance(run("COMPLETE"), idle)];
const bad: Readonly<Record<string, readonly [RegExp, ...Obj<typeof Instance>[]]>> = {
  "two that run": [
    /^I1/,
    instance({
      ...run("PENDING"),
      planStatus: { ...run("PENDING").planStatus, scale: { name: "scale", uid: "u2", status: "PENDING" } },
    }),
  ],
  "one that nothing holds": [/^I2/, instance(run("IN_PROGRESS"), idle)],
  "a summary of its own": [
    /^I3/,
    instance({ ...run("IN_PROGRESS"), aggregatedStatus: { status: "COMPLETE", activePlanName: "" } }),
  ],
  "a second end": [/^I4/, ...good, instance(run("FATAL_ERROR"), idle)],
  "a run that runs twice": [
    /^I5/,
    instance(run("PENDING")),
    instance(run("PENDING", "u2", 2), { ...LOCK, uid: "u2" }),
    instance(run("PENDING", "u1", 3)),
  ],
  "a number that falls": [/^I7/, instance(run("PENDING", "u1", 2)), instance(run("PENDING"))],
  "a run that is pending again": [/^a run goes on/, instance(run("IN_PROGRESS")), instance(run("PENDING"))],
};

const audit = (versions: readonly Obj<typeof Instance>[]): void => {
  const history = new History();
  for (const version of versions) history.look(version);
};

test("the invariants hold of a run from its beginning to its end", () => audit(good));
for (const [name, [message, ...versions]] of Object.entries(bad))
  test(`the invariants do not hold of ${name}`, () => {
    assert.throws(() => audit(versions), { message });
  });
