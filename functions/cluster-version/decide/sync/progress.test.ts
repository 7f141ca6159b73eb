import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { type Duration, later } from "../../../../shared/function/index.ts";
import { gateError } from "./gate.ts";
import { timerDeadlines, waitingWith } from "./operator-timers.ts";
import { type PassReport, progressConditions } from "./progress.ts";
import { summarise } from "./summary.ts";
import { refusedTask } from "./update-error.ts";

const START = "2026-02-03T09:00:00.000Z";
const after = (duration: Duration): string => later(START, duration);
const said = (report: Partial<PassReport>, now = START): readonly string[] =>
  progressConditions(
    {
      moving: true,
      version: "5.2.0",
      done: 12,
      total: 40,
      failure: undefined,
      waiting: {},
      invalid: false,
      hasHistory: true,
      ...report,
    },
    now,
  ).map(({ type, status, reason = "-", message = "-" }) => `${type}=${status} ${reason} ${message}`);

const TOWARDS = "Working towards 5.2.0: 12 of 40 done (30% complete)";
const updating = gateError("ClusterOperatorUpdating", "None", ["dns"]);
const degraded = gateError("ClusterOperatorDegraded", "FailAfterInterval", ["dns"]);

describe("Failing and Progressing", () => {
  test("moving, without a failure", () => {
    assert.deepEqual(said({}), ["Failing=False - -", `Progressing=True - ${TOWARDS}`]);
    assert.deepEqual(said({ done: 0 }), ["Failing=False - -", "Progressing=True - Working towards 5.2.0"]);
    assert.equal(
      said({ done: 861, total: 862 })[1],
      "Progressing=True - Working towards 5.2.0: 861 of 862 done (99% complete)",
    );
  });

  test("scenario 12: an operator on its way is waited for, and is slow after 30 minutes", () => {
    const waits = { failure: updating, waiting: { dns: START } };
    const patient = [
      "Failing=False - -",
      `Progressing=True ClusterOperatorUpdating ${TOWARDS}, waiting on dns`,
    ];
    assert.deepEqual(said(waits), patient);
    assert.deepEqual(said(waits, after("30m")), patient);
    const slow = "waiting on dns over 30 minutes which is longer than expected";
    assert.deepEqual(said(waits, after("31m")), [
      `Failing=Unknown SlowClusterOperator ${slow}`,
      `Progressing=True ClusterOperatorUpdating ${TOWARDS}, ${slow}`,
    ]);
    assert.equal(
      said({ ...waits, done: 0 })[1],
      "Progressing=True ClusterOperatorUpdating Working towards 5.2.0: waiting on dns",
    );
  });

  test("scenario 13: machine-config has 90 minutes", () => {
    const failure = gateError("ClusterOperatorUpdating", "None", ["machine-config"]);
    const waits = { failure, waiting: { "machine-config": START } };
    assert.equal(said(waits, after("31m"))[0], "Failing=False - -");
    const slow = "waiting on machine-config over 90 minutes which is longer than expected";
    assert.deepEqual(said(waits, after("91m")), [
      `Failing=Unknown SlowClusterOperator ${slow}`,
      `Progressing=True ClusterOperatorUpdating ${TOWARDS}, ${slow}`,
    ]);
  });

  test("slow operators are named, machine-config apart, the others of the wait are not", () => {
    const failure = gateError("ClusterOperatorUpdating", "None", ["machine-config", "b", "a", "late"]);
    const waiting = { a: START, b: START, "machine-config": START, late: after("90m") };
    assert.equal(
      said({ failure, waiting }, after("91m"))[1],
      `Progressing=True ClusterOperatorsUpdating ${TOWARDS}, waiting on a, b over 30 minutes and machine-config over 90 minutes which is longer than expected`,
    );
  });

  test("scenario 14: a degraded operator is waited for for 40 minutes", () => {
    const waits = { failure: degraded, waiting: { dns: START } };
    assert.deepEqual(said(waits, after("39m")), [
      "Failing=False - -",
      `Progressing=True ClusterOperatorDegraded ${TOWARDS}, waiting up to 40 minutes on dns`,
    ]);
    assert.equal(said(waits, after("40m"))[0], "Failing=False - -");
    assert.deepEqual(said(waits, after("41m")), [
      "Failing=True ClusterOperatorDegraded Cluster operator dns is degraded",
      "Progressing=True ClusterOperatorDegraded Unable to apply 5.2.0: wait has exceeded 40 minutes for these operators: dns",
    ]);
  });

  test("a failure", () => {
    const failure = refusedTask('role "demo/x" (4 of 40)', "KUBE_FORBIDDEN");
    assert.deepEqual(said({ failure }), [
      `Failing=True UpdatePayloadResourceForbidden ${failure.message}`,
      "Progressing=True UpdatePayloadResourceForbidden Unable to apply 5.2.0: the server is rejecting updates",
    ]);
    assert.deepEqual(said({ failure, moving: false }), [
      `Failing=True UpdatePayloadResourceForbidden ${failure.message}`,
      "Progressing=False UpdatePayloadResourceForbidden Error while reconciling 5.2.0: the server is rejecting updates",
    ]);
  });

  test("an error that is only reported", () => {
    assert.deepEqual(said({ failure: gateError("ClusterOperatorDegraded", "Report", ["dns"]) }), [
      "Failing=True ClusterOperatorDegraded Cluster operator dns is degraded",
      "Progressing=True ClusterOperatorDegraded Unable to apply 5.2.0: Cluster operator dns is degraded",
    ]);
  });

  test("scenario 19: of several errors Failing tells those that do not merely wait", () => {
    const three = ["a", "b", "c"].map((name) => gateError("ClusterOperatorUpdating", "None", [name]));
    const failure = summarise([...three, gateError("ClusterOperatorNotAvailable", "Fail", ["z"])]);
    assert.deepEqual(said({ failure }), [
      "Failing=True ClusterOperatorNotAvailable Cluster operator z is not available",
      "Progressing=True MultipleErrors Unable to apply 5.2.0: the cluster operator z is not available, waiting on a, b, c",
    ]);
  });

  test("several errors of which none merely waits are told together", () => {
    const failure = summarise([
      gateError("ClusterOperatorNotAvailable", "Fail", ["a"]),
      refusedTask('role "demo/x" (4 of 40)', "UNEXPECTED"),
    ]);
    const message =
      'Multiple errors are preventing progress:\n* Cluster operator a is not available\n* Could not update role "demo/x" (4 of 40)';
    assert.deepEqual(said({ failure }), [
      `Failing=True MultipleErrors ${message}`,
      "Progressing=True MultipleErrors Unable to apply 5.2.0: the update could not be applied, the cluster operator a is not available",
    ]);
    assert.equal(
      said({ failure, moving: false })[1],
      "Progressing=False MultipleErrors Error while reconciling 5.2.0: the update could not be applied, the cluster operator a is not available",
    );
  });

  test("keeping to a release", () => {
    assert.deepEqual(said({ moving: false }), [
      "Failing=False - -",
      "Progressing=False - Cluster version is 5.2.0",
    ]);
    assert.deepEqual(said({ moving: false, failure: updating }), [
      "Failing=True ClusterOperatorUpdating Cluster operator dns is updating versions",
      "Progressing=False ClusterOperatorUpdating Error while reconciling 5.2.0: dns has an unknown error: ClusterOperatorUpdating",
    ]);
  });

  test("scenario 26: an invalid spec is told where nothing fails", () => {
    assert.equal(
      said({ moving: false, invalid: true })[1],
      "Progressing=False InvalidClusterVersion Stopped at 5.2.0: the cluster version is invalid",
    );
    assert.equal(
      said({ invalid: true })[1],
      "Progressing=True InvalidClusterVersion Reconciling 5.2.0: the cluster version is invalid",
    );
  });

  test("without any release", () => {
    const failure = {
      effect: "Fail",
      reason: "NoDesiredImage",
      message: "No configured operator version, unable to update cluster",
      names: [],
    } as const;
    assert.deepEqual(said({ failure, version: "<unknown>", hasHistory: false }), [
      "Failing=True NoDesiredImage No configured operator version, unable to update cluster",
      "Progressing=True NoDesiredImage Unable to apply <unknown>: an unknown error has occurred: NoDesiredImage",
    ]);
  });
});

describe("waits for operators", () => {
  test("begin with the first look, keep their age, and end with the look that passes", () => {
    const first = waitingWith({}, { blocked: ["b", "a"], passed: [] }, START);
    assert.deepEqual(first, { a: START, b: START });
    const second = waitingWith(first, { blocked: ["a", "c"], passed: ["b"] }, after("5m"));
    assert.deepEqual(second, { a: START, c: after("5m") });
  });

  test("are deadlines at 30, 40 and 90 minutes, each after the time that still counts as within", () => {
    const due = timerDeadlines({ dns: START, "machine-config": START }, after("30m"));
    assert.deepEqual(due, {
      "dns 30m": "2026-02-03T09:30:00.001Z",
      "dns 40m": "2026-02-03T09:40:00.001Z",
      "machine-config 40m": "2026-02-03T09:40:00.001Z",
      "machine-config 90m": "2026-02-03T10:30:00.001Z",
    });
    assert.deepEqual(Object.keys(timerDeadlines({ dns: START }, "2026-02-03T09:40:00.001Z")), []);
  });
});
