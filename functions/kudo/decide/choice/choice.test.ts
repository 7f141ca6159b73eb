import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Consumed, InstanceSpec, InstanceStatus, Parameter, PlanStatus } from "../../kinds/index.ts";
import type { Definition, InstanceView } from "../definition/index.ts";
import { type Act, adopted, decide, scheduledUid } from "./index.ts";

const PARAMETERS: readonly Parameter[] = [
  { name: "A", trigger: "scale" },
  { name: "B", trigger: "backup" },
  { name: "C" },
  { name: "N", "value-type": "integer" },
  { name: "FIX", immutable: true },
];
const version = (name: string, ...plans: readonly string[]): Definition => ({
  metadata: { name, generation: 1 },
  spec: { parameters: [...PARAMETERS], plans: Object.fromEntries(plans.map((plan) => [plan, {}])) },
});
const V1 = version("v1", "deploy", "scale", "backup");
const V2 = version("v2", "deploy", "update", "upgrade", "scale");
const CLEAN = version("clean", "deploy", "cleanup");

const instance = (spec: InstanceSpec, status?: InstanceStatus, deleted = false): InstanceView => ({
  metadata: {
    name: "db",
    namespace: "shop",
    uid: "i",
    ...(deleted && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
  },
  spec,
  ...(status !== undefined && { status }),
});
const spec = (
  name: string,
  parameters: Record<string, string> = {},
  plan?: string,
  uid = "new",
): InstanceSpec => ({
  operatorVersion: { name },
  parameters,
  ...(plan !== undefined && { planExecution: { planName: plan, uid } }),
});
const consumed = (name: string, parameters: Record<string, string> = {}): Consumed => ({
  execution: 1,
  planName: "deploy",
  planUID: "old",
  operatorVersion: { name },
  parameters,
});
const run = (status: PlanStatus["status"], uid = "new"): PlanStatus => ({
  uid,
  status,
  finishedTimestamp: "2026-01-01T00:00:00Z",
});
const was = (
  name: string,
  parameters: Record<string, string> = {},
  planStatus: Readonly<Record<string, PlanStatus>> = {},
  more: Partial<InstanceStatus> = {},
): InstanceStatus => ({ executions: 1, lastStarted: consumed(name, parameters), planStatus, ...more });
const told = (reason: string, message: string): Partial<InstanceStatus> => ({
  conditions: [
    { type: "PlanScheduled", status: "False", reason, message, lastTransitionTime: "2026-01-01T00:00:00Z" },
  ],
});
const CONFLICT = "triggering multiple plans: [[scale backup]] at once is not allowed";

/** `schedule scale params`, `start backup manual started`, `release ConflictingTriggers`. */
function wordsOf(act: Act): string {
  switch (act.do) {
    case "schedule":
      return `schedule ${act.plan} ${act.reason}${act.over ? " over" : ""}${act.refusal === undefined ? "" : `, ${act.refusal.reason}`}`;
    case "start":
      return `start ${act.plan} ${act.reason} ${act.consumes}`;
    case "continue":
      return `continue ${act.plan}`;
    case "release":
      return `release${act.unbegun ? " unbegun" : ""}${act.refusal === undefined ? "" : ` ${act.refusal.reason}`}`;
    case "rest":
      return act.refusal === undefined ? "rest" : `rest ${act.refusal.reason}`;
    default:
      return act.do;
  }
}
const VERSIONS = [V1, V2, CLEAN];
const find = (name: string | undefined) => VERSIONS.find(({ metadata }) => metadata.name === name);
const situation = (it: InstanceView) => ({
  instance: it,
  version: find(it.spec?.operatorVersion?.name),
  startedVersion: find(it.status?.lastStarted?.operatorVersion.name),
});

const ours = (plan: string): string =>
  scheduledUid(
    { metadata: { name: "db", namespace: "shop", uid: "i" }, status: { executions: 1 } },
    plan,
    "change",
  );
const CASES: readonly (readonly [string, InstanceView, string])[] = [
  ["a new Instance", instance(spec("v1")), "schedule deploy create"],
  ["a new Instance with a wrong value", instance(spec("v1", { N: "x" })), "rest InvalidParameters"],
  ["a new Instance whose version is not there", instance(spec("gone")), "wait"],
  ["a lock that waits to begin", instance(spec("v1", {}, "deploy")), "start deploy create spec"],
  [
    "a new Instance with another plan asked for",
    instance(spec("v1", {}, "backup")),
    "schedule deploy create over, PlanNotBegun",
  ],
  [
    "a new Instance with a plan asked for that nobody has",
    instance(spec("v1", {}, "nope")),
    "schedule deploy create over, PlanNotFound",
  ],
  [
    "a new Instance with a wrong value, and another plan asked for",
    instance(spec("v1", { N: "x" }, "backup")),
    "release unbegun PlanNotBegun",
  ],
  [
    "a new Instance with a wrong value, and its plan asked for",
    instance(spec("v1", { N: "x" }, "deploy")),
    "release unbegun InvalidParameters",
  ],
  [
    "a run",
    instance(spec("v1", {}, "deploy"), was("v1", {}, { deploy: run("IN_PROGRESS") })),
    "continue deploy",
  ],
  [
    "a run that ended",
    instance(spec("v1", {}, "deploy"), was("v1", {}, { deploy: run("COMPLETE") })),
    "release",
  ],
  ["nothing to do", instance(spec("v1"), was("v1", {}, { deploy: run("COMPLETE") })), "rest"],
  [
    "a failed run without a change",
    instance(spec("v1"), was("v1", {}, { deploy: run("FATAL_ERROR") })),
    "rest",
  ],
  ["another version", instance(spec("v2"), was("v1")), "schedule upgrade upgrade"],
  [
    "another version and a parameter",
    instance(spec("v2", { A: "1" }), was("v1")),
    "schedule upgrade upgrade",
  ],
  [
    "the same version in words",
    instance({ operatorVersion: { name: "v1", namespace: "shop" } }, was("v1")),
    "rest",
  ],
  ["a parameter with a trigger", instance(spec("v1", { A: "1" }), was("v1")), "schedule scale params"],
  ["a parameter without one", instance(spec("v1", { C: "1" }), was("v1")), "schedule deploy params"],
  ["a parameter taken out", instance(spec("v1"), was("v1", { A: "1" })), "schedule scale params"],
  [
    "a parameter of which nothing is known",
    instance(spec("v1", { X: "1" }), was("v1")),
    "rest InvalidParameters",
  ],
  ["an immutable one", instance(spec("v1", { FIX: "2" }), was("v1", { FIX: "1" })), "rest InvalidParameters"],
  ["an immutable one taken out", instance(spec("v1"), was("v1", { FIX: "1" })), "rest InvalidParameters"],
  ["two triggers", instance(spec("v1", { A: "1", B: "1" }), was("v1")), "rest ConflictingTriggers"],
  [
    "two triggers, and one of their plans asked for before anybody was told",
    instance(spec("v1", { A: "1", B: "1" }, "scale"), was("v1")),
    "release unbegun ConflictingTriggers",
  ],
  [
    "two triggers, resolved by a person",
    instance(
      spec("v1", { A: "1", B: "1" }, "scale"),
      was("v1", {}, {}, told("ConflictingTriggers", CONFLICT)),
    ),
    "start scale manual spec",
  ],
  ["a plan by name", instance(spec("v1", {}, "backup"), was("v1")), "start backup manual spec"],
  [
    "a plan by name without a uid",
    instance(spec("v1", {}, "backup", ""), was("v1")),
    "schedule backup manual",
  ],
  [
    "a plan by name beside a change",
    instance(spec("v1", { A: "1" }, "backup"), was("v1")),
    "start backup manual started",
  ],
  [
    "a plan by name that only the next version has",
    instance(spec("v2", {}, "update"), was("v1")),
    "schedule upgrade upgrade over, PlanNotBegun",
  ],
  [
    "a plan by name that nobody has, beside another version",
    instance(spec("v2", {}, "nope"), was("v1")),
    "schedule upgrade upgrade over, PlanNotFound",
  ],
  [
    "a plan by name that only the next version has, beside a wrong value",
    instance(spec("v2", { N: "x" }, "update"), was("v1")),
    "release unbegun PlanNotBegun",
  ],
  [
    "a plan by name that nobody has",
    instance(spec("v1", {}, "nope"), was("v1")),
    "release unbegun PlanNotFound",
  ],
  [
    "cleanup by name",
    instance(spec("clean", {}, "cleanup"), was("clean")),
    "release unbegun CleanupNotAllowed",
  ],
  [
    "our lock for a change that is gone",
    instance(spec("v1", {}, "scale", ours("scale")), was("v1")),
    "release unbegun",
  ],
  [
    "our lock for a change that is another one by now",
    instance(spec("v1", { B: "1" }, "scale", ours("scale")), was("v1")),
    "schedule backup params over",
  ],
  [
    "a lock that is given up before its run began",
    instance(
      { ...spec("v1"), planExecution: { planName: "backup", uid: "x", status: "FATAL_ERROR" } },
      was("v1"),
    ),
    "release unbegun",
  ],
  [
    "a word that is left of an empty lock",
    instance({ ...spec("v1"), planExecution: { force: true } }, was("v1")),
    "release",
  ],
  [
    "an idle Instance as Go writes it",
    instance({ ...spec("v1"), planExecution: { planName: "", uid: "" } }, was("v1")),
    "rest",
  ],
  ["deletion without a cleanup plan", instance(spec("v1", {}, "deploy"), was("v1"), true), "let go"],
  [
    "deletion of what runs",
    instance(spec("clean", {}, "deploy"), was("clean"), true),
    "schedule cleanup cleanup",
  ],
  [
    "deletion with its lock",
    instance(spec("clean", {}, "cleanup"), was("clean"), true),
    "start cleanup cleanup spec",
  ],
  [
    "deletion while cleanup runs",
    instance(spec("clean", {}, "cleanup"), was("clean", {}, { cleanup: run("IN_PROGRESS") }), true),
    "continue cleanup",
  ],
  [
    "deletion once cleanup is complete",
    instance(spec("clean", {}, "cleanup"), was("clean", {}, { cleanup: run("COMPLETE") }), true),
    "let go",
  ],
  [
    "deletion once cleanup failed",
    instance(spec("clean", {}, "cleanup"), was("clean", {}, { cleanup: run("FATAL_ERROR") }), true),
    "stay",
  ],
  [
    "deletion once a person asks for cleanup again",
    instance(spec("clean", {}, "cleanup", "again"), was("clean", {}, { cleanup: run("FATAL_ERROR") }), true),
    "start cleanup cleanup spec",
  ],
  ["deletion while the version is gone", instance(spec("gone"), undefined, true), "wait"],
];

describe("what is done next", () => {
  for (const [title, it, words] of CASES)
    test(`${title}: ${words}`, () => assert.equal(wordsOf(decide(situation(it)).act), words));
});

describe("a request that gives way", () => {
  const refusalOf = (it: InstanceView) => {
    const { act } = decide(situation(it));
    return "refusal" in act ? act.refusal?.message : undefined;
  };
  test("is named by its uid, with the plan that comes first", () =>
    assert.equal(
      refusalOf(instance(spec("v2", {}, "update", "u1"), was("v1"))),
      "plan update was asked for with uid u1, and is not begun: plan upgrade comes first, ask again once it has ended",
    ));
  test("is named by its plan alone where it has no uid", () =>
    assert.equal(
      refusalOf(instance(spec("v1", {}, "backup", ""))),
      "plan backup was asked for, and is not begun: plan deploy comes first, ask again once it has ended",
    ));
  test("says what is wrong with the rest of the spec", () =>
    assert.match(
      refusalOf(instance(spec("v2", { N: "x" }, "update", "u1"), was("v1"))) ?? "",
      /^plan update was asked for with uid u1, and is not begun: .*N/,
    ));
});

describe("runs that nothing holds", () => {
  for (const [title, it, close] of [
    [
      "its lock is gone",
      instance(spec("v1"), was("v1", {}, { deploy: run("IN_PROGRESS") })),
      ["deploy abandoned"],
    ],
    [
      "another holds it",
      instance(spec("v1", {}, "backup"), was("v1", {}, { deploy: run("ERROR", "old") })),
      ["deploy superseded"],
    ],
    ["its lock holds it", instance(spec("v1", {}, "deploy"), was("v1", {}, { deploy: run("ERROR") })), []],
    [
      "it is given up",
      instance(
        { ...spec("v1"), planExecution: { planName: "deploy", uid: "new", status: "COMPLETE" } },
        was("v1", {}, { deploy: run("PENDING") }),
      ),
      ["deploy abandoned"],
    ],
    ["it has ended", instance(spec("v1"), was("v1", {}, { deploy: run("COMPLETE") })), []],
  ] as const)
    test(`${title}: ${close.join() || "nothing is closed"}`, () =>
      assert.deepEqual(
        decide(situation(it)).close.map(({ plan, message }) => `${plan} ${message}`),
        close,
      ));
});

describe("an Instance that upstream handled so far", () => {
  const SNAPSHOT = "kudo.dev/last-applied-instance-state";
  const ended = (at: string, status: PlanStatus["status"] = "COMPLETE"): PlanStatus => ({
    uid: at,
    status,
    lastUpdatedTimestamp: `2020-01-0${at}T00:00:00Z`,
  });
  const theirs = (
    planStatus: Readonly<Record<string, PlanStatus>>,
    annotation?: string,
    sent = spec("v1", { A: "2" }),
  ): InstanceView => {
    const it = instance(sent, { planStatus });
    return annotation === undefined
      ? it
      : { ...it, metadata: { ...it.metadata, annotations: { [SNAPSHOT]: annotation } } };
  };
  test("has consumed its spec, by the run that came last", () => {
    const found = adopted(
      theirs({ deploy: ended("1"), update: ended("3"), backup: ended("2", "FATAL_ERROR") }),
    );
    assert.deepEqual(found?.lastStarted, {
      execution: 0,
      planName: "update",
      planUID: "3",
      operatorVersion: { name: "v1" },
      parameters: { A: "2" },
    });
    assert.deepEqual(found?.lastSucceeded, found?.lastStarted);
  });
  test("has consumed what its annotation says", () => {
    const text = JSON.stringify({ operatorVersion: { name: "v1" }, parameters: { A: "1", B: 2 } });
    const it = theirs({ deploy: ended("1") }, text);
    assert.deepEqual(adopted(it)?.lastStarted?.parameters, { A: "1" });
    assert.equal(wordsOf(decide({ ...situation(it), startedVersion: V1 }).act), "schedule scale params");
  });
  for (const junk of ["", "{", "[]", "{}", '{"operatorVersion": "v1"}'])
    test(`has consumed its spec where the annotation is ${junk || "empty"}`, () =>
      assert.deepEqual(adopted(theirs({ deploy: ended("1") }, junk))?.lastStarted?.parameters, { A: "2" }));
  test("does not begin anew, also after a failure", () => {
    for (const status of ["COMPLETE", "FATAL_ERROR"] as const) {
      const it = theirs({ deploy: ended("1", status) });
      assert.equal(wordsOf(decide({ ...situation(it), startedVersion: V1 }).act), "rest");
    }
  });
  test("goes on with the run that its lock holds", () => {
    const it = theirs(
      { deploy: { uid: "u", status: "IN_PROGRESS" } },
      undefined,
      spec("v1", {}, "deploy", "u"),
    );
    assert.equal(adopted(it)?.lastStarted?.planUID, "u");
    assert.equal(adopted(it)?.lastSucceeded, undefined);
    assert.equal(wordsOf(decide({ ...situation(it), startedVersion: V1 }).act), "continue deploy");
  });
  test("begins with deploy where none of its plans ever came to an end", () => {
    assert.equal(adopted(theirs({ deploy: { uid: "", status: "NEVER_RUN" } })), undefined);
    assert.equal(adopted(theirs({ deploy: { uid: "u", status: "IN_PROGRESS" } })), undefined);
  });
  test("is adopted once", () => {
    assert.equal(adopted(instance(spec("v1"), was("v1", {}, { deploy: ended("1") }))), undefined);
    assert.equal(adopted(instance(spec("v1"), { planStatus: { deploy: run("FATAL_ERROR") } })), undefined);
  });
});
