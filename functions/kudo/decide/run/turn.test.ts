import assert from "node:assert/strict";
import { test } from "vitest";
import { scheduledUid } from "../choice/index.ts";
import type { Definition, InstanceView } from "../definition/index.ts";
import { turn } from "./turn.ts";

const NOW = "2026-01-05T10:00:00.000Z";
const version = (name: string, ...plans: readonly string[]): Definition => ({
  metadata: { name, generation: 1 },
  spec: { plans: Object.fromEntries(plans.map((plan) => [plan, {}])) },
});
const moved = (planExecution?: { readonly planName: string }): InstanceView => ({
  metadata: { name: "db", namespace: "shop", uid: "i" },
  spec: { operatorVersion: { name: "v2" }, ...(planExecution && { planExecution }) },
  status: {
    executions: 1,
    lastStarted: { execution: 1, planName: "deploy", planUID: "u", operatorVersion: { name: "v1" } },
  },
});
const uidOf = (instance: InstanceView): string | undefined => {
  const next = turn(
    { instance, version: version("v2", "deploy", "update"), startedVersion: version("v1", "deploy") },
    { now: NOW },
  );
  return next.do === "lock" ? next.lock?.uid : undefined;
};

test("a plan that a change asks for has a uid of the change's", () =>
  assert.equal(uidOf(moved()), scheduledUid(moved(), "update", "change")));

test("a request without a uid stays a person's where a change asks for the same plan: the change may go", () =>
  assert.equal(uidOf(moved({ planName: "update" })), scheduledUid(moved(), "update", "person")));
