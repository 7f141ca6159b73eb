import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { healthOf } from "./health.ts";
import type { Health } from "./verdict.ts";

const object = (
  apiVersion: string,
  kind: string,
  status: unknown,
  more: { readonly metadata?: Partial<KubeObject["metadata"]>; readonly spec?: unknown } = {},
): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: "x", namespace: "demo", generation: 2, ...more.metadata },
  spec: more.spec,
  status,
});
const condition = (type: string, status: string, reason = "R", message = "m.") => ({
  type,
  status,
  reason,
  message,
});
const deployment = (...conditions: readonly unknown[]): KubeObject =>
  object("apps/v1", "Deployment", { observedGeneration: 2, conditions });
const definition = (conditions: readonly unknown[] | undefined): KubeObject => ({
  ...object("apiextensions.k8s.io/v1", "CustomResourceDefinition", { conditions }),
  metadata: { name: "xs.demo" },
});
const job = (status: unknown, spec: unknown = {}): KubeObject => object("batch/v1", "Job", status, { spec });

const GOOD: Health = { health: "good" };
const deleted = { metadata: { deletionTimestamp: "2026-02-03T09:00:00Z" } };

const cases: readonly (readonly [string, KubeObject, Health])[] = [
  ["a Deployment that says nothing", deployment(), GOOD],
  [
    "one that is available",
    deployment(condition("Available", "True"), condition("Progressing", "True")),
    GOOD,
  ],
  [
    "one that is on its way",
    deployment(condition("Available", "False"), condition("Progressing", "True")),
    GOOD,
  ],
  [
    "one whose progress is unknown",
    deployment(condition("Available", "False"), condition("Progressing", "Unknown")),
    GOOD,
  ],
  [
    "one whose pods cannot be made",
    deployment(condition("ReplicaFailure", "True", "FailedCreate", "quota"), condition("Available", "True")),
    {
      health: "bad",
      fault: {
        reason: "WorkloadNotProgressing",
        message: "deployment demo/x has a replica failure FailedCreate: quota",
        name: "demo/x",
      },
    },
  ],
  [
    "one that is neither there nor coming",
    deployment(
      condition("Available", "False", "Few", "few"),
      condition("Progressing", "False", "Stuck", "stuck"),
    ),
    {
      health: "bad",
      fault: {
        reason: "WorkloadNotAvailable",
        message: "deployment demo/x is not available Few (few) or progressing Stuck (stuck)",
        name: "demo/x",
      },
    },
  ],
  [
    "one that took too long, though old pods serve",
    deployment(
      condition("Available", "True"),
      condition("Progressing", "False", "ProgressDeadlineExceeded", "late"),
    ),
    {
      health: "bad",
      fault: {
        reason: "WorkloadNotProgressing",
        message: "deployment demo/x is Progressing=False: ProgressDeadlineExceeded: late",
        name: "demo/x",
      },
    },
  ],
  [
    "one whose conditions tell of the template before this one",
    object("apps/v1", "Deployment", {
      observedGeneration: 1,
      conditions: [condition("Available", "False"), condition("Progressing", "False")],
    }),
    GOOD,
  ],
  [
    "one that is being deleted",
    object("apps/v1", "Deployment", {}, deleted),
    { health: "bad", fault: { message: "deployment demo/x is being deleted" } },
  ],
  [
    "a DaemonSet, however few of its pods run",
    object("apps/v1", "DaemonSet", { numberUnavailable: 9 }),
    GOOD,
  ],
  [
    "a DaemonSet that is being deleted",
    object("apps/v1", "DaemonSet", {}, deleted),
    { health: "bad", fault: { message: "daemonset demo/x is being deleted" } },
  ],
  ["a definition that is established", definition([condition("Established", "True")]), GOOD],
  [
    "a definition that was just made",
    definition(undefined),
    {
      health: "waiting",
      message: "CustomResourceDefinition xs.demo does not declare an Established status condition",
    },
  ],
  [
    "a definition that is refused",
    definition([
      condition("NamesAccepted", "False"),
      condition("Established", "False", "NotAccepted", "taken"),
    ]),
    {
      health: "bad",
      fault: { message: "CustomResourceDefinition xs.demo Established=False, NotAccepted: taken" },
    },
  ],
  ["scenario 10: a Job that is complete", job({ conditions: [condition("Complete", "True")] }), GOOD],
  ["scenario 10: a Job whose pod has succeeded", job({ succeeded: 1 }), GOOD],
  [
    "scenario 10: a Job of which one run of two has succeeded",
    job({ succeeded: 1, active: 1 }, { completions: 2 }),
    { health: "waiting", message: "job demo/x has not completed yet" },
  ],
  [
    "scenario 10: a Job that runs",
    job({ active: 1 }),
    { health: "waiting", message: "job demo/x has not completed yet" },
  ],
  [
    "scenario 10: a Job between two tries",
    job({ failed: 1 }),
    { health: "waiting", message: "job demo/x has not completed yet" },
  ],
  [
    "scenario 10: a Job that has failed for good",
    job({ failed: 3, conditions: [condition("Failed", "True", "BackoffLimitExceeded", 'said "no"')] }),
    {
      health: "bad",
      fault: { message: 'deadline exceeded, reason: "BackoffLimitExceeded", message: "said \\"no\\""' },
    },
  ],
  ["any other kind", object("v1", "ConfigMap", undefined), GOOD],
  ["a kind of that name in another group", object("demo/v1", "Deployment", {}, deleted), GOOD],
];

describe("the health of what was written", () => {
  for (const [title, live, health] of cases)
    test(title, () => {
      for (const mode of ["Updating", "Reconciling"] as const) assert.deepEqual(healthOf(live, mode), health);
      assert.deepEqual(healthOf(live, "Initializing"), GOOD, "nobody asks during an installation");
    });
});
