import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { InstanceSpec, InstanceStatus, Parameter } from "../../kinds/index.ts";
import type { Definition, InstanceView } from "../definition/index.ts";
import { type Admission, admitCreate, admitUpdate } from "./index.ts";

const PARAMETERS: readonly Parameter[] = [
  { name: "A", trigger: "scale" },
  { name: "B", trigger: "backup" },
  { name: "C" },
  { name: "D", trigger: "deploy", default: "1" },
  { name: "LOST", trigger: "nowhere" },
  { name: "N", "value-type": "integer" },
  { name: "FIX", immutable: true, default: "f" },
];
const version = (name: string, plans: readonly string[], parameters = PARAMETERS): Definition => ({
  metadata: { name },
  spec: { parameters: [...parameters], plans: Object.fromEntries(plans.map((plan) => [plan, {}])) },
});
const V1 = version("v1", ["deploy", "scale", "backup"]);
const V2 = version("v2", ["deploy", "update", "upgrade", "scale", "backup"]);
const BARE = version("bare", ["scale"]);
const CLEAN = version("clean", ["deploy", "scale", "cleanup"]);
const VERSIONS = [V1, V2, BARE, CLEAN];

const instance = (spec: InstanceSpec, status?: InstanceStatus, deletionTimestamp?: string): InstanceView => ({
  metadata: {
    name: "db",
    namespace: "shop",
    uid: "i",
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  },
  spec,
  ...(status !== undefined && { status }),
});
const of = (spec: InstanceSpec): Definition | undefined =>
  VERSIONS.find(({ metadata }) => metadata.name === spec.operatorVersion?.name);
const spec = (
  name: string,
  parameters: Record<string, string> = {},
  plan?: string,
  uid = "1",
): InstanceSpec => ({
  operatorVersion: { name },
  parameters,
  ...(plan !== undefined && { planExecution: { planName: plan, uid } }),
});

/** `allow`, `run scale`, `empty`, or the refusal. */
function wordsOf(answer: Admission): string {
  if (!answer.allow) return answer.message;
  const { change } = answer;
  if (change?.planExecution === null) return "empty";
  if (change?.planExecution !== undefined) {
    assert.equal(change.planExecution.uid, "new");
    assert.equal(change.planExecution.status, "NEVER_RUN");
    return `run ${change.planExecution.planName}`;
  }
  return "allow";
}
const FAILED = "failed to update Instance shop/db: ";
const ended = (plan: string): InstanceStatus => ({
  planStatus: { [plan]: { uid: "1", status: "COMPLETE" } },
});
const DELETED = "2026-01-01T00:00:00Z";

type Case = readonly [
  string,
  InstanceSpec,
  InstanceSpec,
  string,
  { readonly status?: InstanceStatus; readonly deleted?: true }?,
];
const CASES: readonly Case[] = [
  ["nothing changes", spec("v1"), spec("v1"), "allow"],
  ["a plan that does not exist", spec("v1"), spec("v1", {}, "nope"), "plan nope does not exist"],
  [
    "a parameter without a definition",
    spec("v1"),
    spec("v1", { X: "1" }),
    `${FAILED}failed to find parameter "X" in the OperatorVersion`,
  ],
  [
    "an immutable parameter changes",
    spec("v1", { FIX: "f" }),
    spec("v1", { FIX: "g" }),
    "failed to check immutable parameters for Instance shop/db: parameter 'FIX' is immutable but was changed from 'f' to 'g'",
  ],
  [
    "a value that is none of its type",
    spec("v1"),
    spec("v1", { N: "x" }),
    'failed to validate parameters for Instance shop/db: parameter "N" has an invalid value "x": type is "integer" but format of "x" is invalid: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    "a trigger that is no plan",
    spec("v1"),
    spec("v1", { LOST: "1" }),
    `${FAILED}param LOST defined trigger plan nowhere, but plan not defined in operatorversion`,
  ],
  [
    "two triggers",
    spec("v1"),
    spec("v1", { A: "1", B: "1" }),
    `${FAILED}triggering multiple plans: [[scale backup]] at once is not allowed`,
  ],
  [
    "no plan for a change",
    spec("bare"),
    spec("bare", { C: "1" }),
    `${FAILED}couldn't find any plans that would be triggered by the update`,
  ],
  // Idle.
  ["a parameter with a trigger", spec("v1"), spec("v1", { A: "1" }), "run scale"],
  ["one with and one without a trigger", spec("v1"), spec("v1", { A: "1", C: "1" }), "run scale"],
  ["one without a trigger, and no update plan", spec("v1"), spec("v1", { C: "1" }), "run deploy"],
  ["one without a trigger, and an update plan", spec("v2"), spec("v2", { C: "1" }), "run update"],
  ["a parameter is taken out", spec("v1", { A: "1" }), spec("v1"), "run scale"],
  ["a parameter is set to its default", spec("v1"), spec("v1", { D: "1" }), "allow"],
  ["a plan by name", spec("v1"), spec("v1", {}, "backup"), "run backup"],
  [
    "cleanup by name",
    spec("clean"),
    spec("clean", {}, "cleanup"),
    `${FAILED}only the controller schedules the 'cleanup' plan when the instance is deleted`,
  ],
  [
    "a plan by name and a change",
    spec("v1"),
    spec("v1", { A: "1" }, "backup"),
    `${FAILED}triggering one plan '' directly and through parameter update 'backup' is not allowed`,
  ],
  ["an upgrade", spec("v1"), spec("v2", { FIX: "f" }), "run upgrade"],
  ["an upgrade to a version with deploy alone", spec("v2"), spec("v1"), "run deploy"],
  [
    "an upgrade to a version without a plan for it",
    spec("v1"),
    spec("bare"),
    `${FAILED}couldn't find any suitable plan that would be triggered by an OperatorVersion upgrade`,
  ],
  ["an upgrade and a change for deploy", spec("v1"), spec("v2", { D: "2" }), "run upgrade"],
  [
    "an upgrade and a change for another plan",
    spec("v1"),
    spec("v2", { B: "2" }),
    `${FAILED}upgrade to new OperatorVersion {  v2    } together with a parameter update triggering 'backup' is not allowed`,
  ],
  [
    "an upgrade and a plan by name",
    spec("v1"),
    {
      ...spec("v2", {}, "backup"),
      operatorVersion: { name: "v2", kind: "OperatorVersion", namespace: "shop" },
    },
    `${FAILED}upgrade to new OperatorVersion {OperatorVersion shop v2    } and triggering new plan 'backup' is not allowed`,
  ],
  // A plan runs.
  ["a change for the same plan", spec("v1", {}, "scale"), spec("v1", { A: "1" }, "scale"), "run scale"],
  [
    "a change for another plan",
    spec("v1", {}, "deploy"),
    spec("v1", { A: "1" }, "deploy"),
    `${FAILED}plan 'deploy' is scheduled (or running) and an update would trigger a different plan 'scale'`,
  ],
  [
    "an upgrade while a plan runs",
    spec("v1", {}, "deploy"),
    spec("v2", {}, "deploy"),
    `${FAILED}upgrade to new OperatorVersion {  v2    } while a plan 'deploy' is scheduled (or running) is not allowed`,
  ],
  [
    "another plan by name",
    spec("v1", {}, "deploy"),
    spec("v1", {}, "backup"),
    `${FAILED}overriding currently scheduled (or running) plan 'deploy' with 'backup' is not supported`,
  ],
  [
    "the lock is emptied",
    spec("v1", {}, "deploy"),
    spec("v1"),
    `${FAILED}cancelling currently scheduled (or running) plan 'deploy' is not supported`,
  ],
  ["the controller's release", spec("v1", {}, "deploy"), spec("v1"), "allow", { status: ended("deploy") }],
  [
    "the controller's release, of a version that is gone",
    spec("gone", {}, "deploy"),
    spec("gone"),
    "allow",
    { status: ended("deploy") },
  ],
  ["the same plan under another uid", spec("v1", {}, "deploy"), spec("v1", {}, "deploy", "2"), "run deploy"],
  [
    "a lock that says that it ended",
    spec("v1", {}, "deploy"),
    { ...spec("v1"), planExecution: { planName: "deploy", uid: "1", status: "COMPLETE" } },
    "empty",
  ],
  [
    "something else of the spec",
    spec("v1", {}, "deploy"),
    { ...spec("v1", {}, "deploy"), parameters: { D: "1" } },
    "allow",
  ],
  // By force.
  [
    "another plan by force",
    spec("v1", {}, "deploy"),
    { ...spec("v1"), planExecution: { planName: "backup", uid: "2", force: true } },
    "run backup",
  ],
  ["cancel by force", spec("v1", {}, "deploy"), { ...spec("v1"), planExecution: { force: true } }, "empty"],
  [
    "cleanup by force",
    spec("clean", {}, "deploy"),
    { ...spec("clean"), planExecution: { planName: "cleanup", uid: "2", force: true } },
    `${FAILED}only the controller schedules the 'cleanup' plan when the instance is deleted`,
  ],
  // It is being deleted.
  [
    "leaving cleanup",
    spec("clean", {}, "cleanup"),
    spec("clean"),
    `${FAILED}'cleanup' plan can not be cancelled or overridden by another plan since the instance is being deleted`,
    { deleted: true },
  ],
  [
    "a change while it is deleted",
    spec("clean", {}, "cleanup"),
    spec("clean", { A: "1" }, "cleanup"),
    `${FAILED}parameter update and/or upgrade is not allowed when an instance is being deleted`,
    { deleted: true },
  ],
  [
    "an upgrade while it is deleted",
    spec("clean"),
    spec("v2", { FIX: "f" }),
    `${FAILED}parameter update and/or upgrade is not allowed when an instance is being deleted`,
    { deleted: true },
  ],
  [
    "another plan while it is deleted",
    spec("clean"),
    spec("clean", {}, "deploy"),
    `${FAILED}only 'cleanup' plan can be scheduled when an instance is being deleted`,
    { deleted: true },
  ],
  [
    "cleanup over what runs",
    spec("clean", {}, "deploy"),
    spec("clean", {}, "cleanup", "2"),
    "allow",
    { deleted: true },
  ],
];

describe("an update", () => {
  for (const [title, before, after, answer, more] of CASES)
    test(`${title}: ${answer}`, () => {
      const deleted = more?.deleted === true ? DELETED : undefined;
      const [old, next] = [instance(before, more?.status, deleted), instance(after, more?.status, deleted)];
      assert.equal(wordsOf(admitUpdate(old, next, of(after), of(before), "new")), answer);
    });
  test("that leaves an immutable value out gets it back", () => {
    const answer = admitUpdate(
      instance(spec("v1", { FIX: "g" })),
      instance(spec("v1", { A: "1" })),
      V1,
      V1,
      "new",
    );
    assert.ok(answer.allow);
    assert.deepEqual(answer.change?.parameters, { FIX: "g" });
    assert.equal(answer.change?.planExecution?.planName, "scale");
  });
  test("that is an upgrade loses the values of parameters that are gone", () => {
    const next = version("v3", ["deploy"], [{ name: "A" }]);
    const answer = admitUpdate(
      instance(spec("v1", { C: "1" })),
      instance(spec("v3", { C: "1" })),
      next,
      V1,
      "new",
    );
    assert.ok(answer.allow);
    assert.deepEqual(answer.change, {
      planExecution: { planName: "deploy", uid: "new", status: "NEVER_RUN" },
      parameters: { C: null },
    });
  });
  test("whose version cannot be read is an error, not a refusal", () => {
    const answer = admitUpdate(instance(spec("v1")), instance(spec("gone")), undefined, V1, "new");
    assert.deepEqual(answer, {
      allow: false,
      code: 500,
      message: 'OperatorVersion.kudo.dev "gone" not found',
    });
  });
});

describe("a new Instance", () => {
  test("begins with deploy, its immutable defaults, and the finalizer where there is a cleanup plan", () => {
    assert.deepEqual(admitCreate(instance(spec("clean")), CLEAN, "new"), {
      allow: true,
      change: {
        planExecution: { planName: "deploy", uid: "new", status: "NEVER_RUN" },
        parameters: { FIX: "f" },
        finalizer: "kudo.dev.instance.cleanup",
      },
    });
  });
  for (const [title, of, sent, message] of [
    [
      "without a deploy plan",
      BARE,
      spec("bare"),
      "failed to create an Instance shop/db: couldn't find 'deploy' plan in the operatorVersion",
    ],
    [
      "with a wrong value",
      V1,
      spec("v1", { N: "x" }),
      'failed to create an Instance shop/db: parameters are not valid: parameter "N" has an invalid value "x": type is "integer" but format of "x" is invalid: strconv.ParseInt: parsing "x": invalid syntax',
    ],
    ["of a version that is not there", undefined, spec("gone"), 'OperatorVersion.kudo.dev "gone" not found'],
  ] as const)
    test(`${title} is refused`, () => assert.equal(wordsOf(admitCreate(instance(sent), of, "new")), message));
});
