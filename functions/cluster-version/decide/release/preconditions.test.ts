import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { clusterVersion, completed, partial } from "../../test/target-objects.ts";
import type { Move } from "./preconditions/finding.ts";
import { acceptedRisks, checkPreconditions } from "./preconditions.ts";
import type { Spec, Status } from "./types.ts";

const BLOCKED = { status: "False", reason: "MultipleReasons", message: "not now" } as const;
interface Case extends Partial<Status> {
  readonly to: string;
  readonly from?: string;
  readonly spec?: Partial<Spec>;
  readonly upgradeable?: Move["upgradeable"];
}
/** All but the target is in the channel's good graces, so that only what is meant is found. */
const move = ({ to, from, spec, upgradeable, ...status }: Case): Move => ({
  clusterVersion: clusterVersion(spec, {
    ...(from !== undefined && { desired: { version: from, image: `reg.example/rel:${from}` } }),
    availableUpdates: [{ version: to, image: "i" }],
    ...status,
  }),
  targetVersion: to,
  upgradeable,
});
const free = { force: false, local: false };
const found = (given: Case): readonly string[] =>
  checkPreconditions(move(given), free).findings.map(
    ({ name, reason, warning }) =>
      `${name.replace("ClusterVersion", "")}:${reason}${warning ? " (warns)" : ""}`,
  );

describe("giant hops", () => {
  for (const [from, to, expected] of [
    ["5.1.9", "5.1.10", []],
    ["5.1.9", "5.2.0", []],
    ["5.1.9", "5.3.0", ["GiantHop:MultipleMinorVersionsUpdate"]],
    ["5.1.9", "6.0.0", ["GiantHop:MajorVersionUpdate"]],
    ["4.20.3", "5.0.1", []],
    ["4.20.3", "5.1.0", ["GiantHop:MajorVersionUpdate"]],
    ["3.11.0", "5.0.0", ["GiantHop:MajorVersionUpdate"]],
    ["5.0.0", "4.20.0", ["Rollback:LowDesiredVersion", "GiantHop:MultipleMinorVersionsUpdate"]],
  ] as const)
    test(`scenario 24: from ${from} to ${to}`, () => assert.deepEqual(found({ from, to }), expected));

  test("the texts", () => {
    const text = (from: string, to: string) => checkPreconditions(move({ from, to }), free).message;
    assert.equal(
      text("5.1.9", "5.3.0"),
      'Precondition "ClusterVersionGiantHop" failed because of "MultipleMinorVersionsUpdate": 5.3.0 is more than one minor version beyond the current target 5.1.9 (5.3 > 5.(1+1)), and only updates within the current minor version or to the next minor version are supported.',
    );
    assert.match(
      text("4.20.3", "5.1.0"),
      /\(5 > 4\), and only updates within the current major version or to 5\.0 are supported\.$/,
    );
  });
});

describe("scenario 21: rollbacks", () => {
  const image = (version: string) => `reg.example/rel:${version}`;
  test("to the release before, within its minor version: accepted, and told that nothing is undone", () => {
    const history = [completed("1.0.1"), completed("1.0.0")];
    const result = checkPreconditions(move({ from: "1.0.1", to: "1.0.0", history }), free);
    assert.equal(result.blocked, false);
    assert.match(
      result.message,
      /^Precondition "ClusterVersionRollback" failed because of "RollbackAppliesForward": .* nothing is undone$/,
    );
  });
  for (const [name, history, from, to, message] of [
    [
      "past a release that was only begun",
      [completed("1.0.2"), partial("1.0.1"), completed("1.0.0")],
      "1.0.2",
      "1.0.0",
      `1.0.0 is less than the current target 1.0.2, and the only supported rollback is to the cluster's previous version 1.0.1 (${image("1.0.1")})`,
    ],
    [
      "to another minor version",
      [completed("1.1.0"), completed("1.0.9")],
      "1.1.0",
      "1.0.9",
      "1.0.9 is less than the current target 1.1.0 and matches the cluster's previous version, but rollbacks that change major or minor versions are not recommended",
    ],
    [
      "before anything else ran",
      [completed("1.0.1")],
      "1.0.1",
      "1.0.0",
      "1.0.0 is less than the current target 1.0.1, and the cluster has no previous Semantic Version",
    ],
  ] as const)
    test(`${name}: refused`, () => {
      const judged = move({ from, to, history });
      const result = checkPreconditions(judged, free);
      assert.equal(result.blocked, true);
      assert.equal(
        result.message,
        `Precondition "ClusterVersionRollback" failed because of "LowDesiredVersion": ${message}`,
      );
      const forced = checkPreconditions(judged, { force: true, local: false });
      assert.deepEqual(
        [forced.blocked, forced.message],
        [false, `Forced through blocking failures: ${result.message}`],
      );
    });
  test("the same version in another image is no step back", () =>
    assert.deepEqual(found({ from: "1.0.1", to: "1.0.1", history: [completed("1.0.1", "other")] }), []));
});

describe("scenario 22: Upgradeable=False", () => {
  test("another minor version is refused, with its reason", () => {
    const result = checkPreconditions(move({ to: "5.2.0", upgradeable: BLOCKED }), free);
    assert.deepEqual(
      [result.blocked, result.message],
      [true, 'Precondition "ClusterVersionUpgradeable" failed because of "MultipleReasons": not now'],
    );
  });
  test("a patch is accepted", () => assert.deepEqual(found({ to: "5.1.10", upgradeable: BLOCKED }), []));
  test("going back is not its business", () =>
    assert.deepEqual(found({ to: "5.1.8", upgradeable: BLOCKED }), [
      "Rollback:RollbackAppliesForward (warns)",
    ]));
  for (const status of ["True", "Unknown"] as const)
    test(`scenario 24: ${status} lets another minor version through`, () =>
      assert.deepEqual(found({ to: "5.2.0", upgradeable: { ...BLOCKED, status } }), []));
  const moving = {
    from: "5.2.0",
    to: "5.2.1",
    upgradeable: BLOCKED,
    conditions: [{ type: "Progressing", status: "True" }],
  };
  test("a patch inside an unfinished minor update is accepted with a warning", () =>
    assert.equal(
      checkPreconditions(move({ ...moving, history: [partial("5.2.0"), completed("5.1.9")] }), free).message,
      'Precondition "ClusterVersionUpgradeable" failed because of "MinorVersionClusterUpdateInProgress": Retarget to 5.2.1 while a minor version update from 5.1.9 to 5.2.0 is in progress',
    ));
  test("and inside an unfinished major one", () =>
    assert.deepEqual(found({ ...moving, history: [partial("5.2.0"), completed("4.21.0")] }), [
      "Upgradeable:MajorVersionClusterUpdateInProgress (warns)",
    ]));
});

test("scenario 23: with an override a patch is accepted with a warning, another minor version refused", () => {
  const given = {
    spec: {
      overrides: [{ kind: "Deployment", group: "apps", namespace: "demo", name: "x", unmanaged: true }],
    },
    upgradeable: BLOCKED,
  };
  assert.deepEqual(found({ ...given, to: "5.1.10" }), ["Upgradeable:ClusterVersionOverridesSet (warns)"]);
  assert.equal(checkPreconditions(move({ ...given, to: "5.2.0" }), free).blocked, true);
});

describe("whether an update is recommended", () => {
  const release = { version: "5.2.0", image: "i" };
  const conditional = (
    ...conditions: { type: string; status: string; reason: string; message: string }[]
  ) => ({
    availableUpdates: [],
    conditionalUpdates: [{ release, risks: [], conditions }],
  });
  const recommended = (status: string) => ({
    type: "Recommended",
    status,
    reason: "Leaks",
    message: "It leaks. https://x",
  });
  const retrieved = (status: string) => ({
    availableUpdates: [],
    conditions: [{ type: "RetrievedUpdates", status, reason: "VersionNotFound" }],
  });
  for (const [name, given, reason, message] of [
    [
      "not",
      conditional(recommended("False")),
      "Leaks",
      "Update from 5.1.9 to 5.2.0 is not recommended:\n\nIt leaks. https://x",
    ],
    [
      "unknown",
      conditional(recommended("Unknown")),
      "Leaks",
      "Update from 5.1.9 to 5.2.0 is Recommended=Unknown: Leaks: It leaks. https://x",
    ],
    [
      "not looked at",
      conditional(),
      "UnknownConditionType",
      "Update from 5.1.9 to 5.2.0 has a status.conditionalUpdates entry, but no Recommended condition.",
    ],
    [
      "without a channel",
      { availableUpdates: [], spec: { channel: "" } },
      "NoChannel",
      "Configured channel is unset, so the recommended status of updating from 5.1.9 to 5.2.0 is unknown.",
    ],
    [
      "before updates were asked for",
      { availableUpdates: null },
      "UnknownUpdate",
      "No RetrievedUpdates, so the recommended status of updating from 5.1.9 to 5.2.0 is unknown.",
    ],
    [
      "not in the graph",
      retrieved("True"),
      "UnknownUpdate",
      "RetrievedUpdates=True (VersionNotFound), so the update from 5.1.9 to 5.2.0 is probably neither recommended nor supported.",
    ],
    [
      "without a graph",
      retrieved("False"),
      "UnknownUpdate",
      "RetrievedUpdates=False (VersionNotFound), so the recommended status of updating from 5.1.9 to 5.2.0 is unknown.",
    ],
  ] as const)
    test(name, () => {
      const result = checkPreconditions(move({ to: "5.2.0", ...given }), free);
      assert.equal(result.blocked, false);
      assert.equal(
        result.message,
        `Precondition "ClusterVersionRecommendedUpdate" failed because of "${reason}": ${message}`,
      );
    });
  test("it is", () => {
    assert.deepEqual(found({ to: "5.2.0" }), []);
    assert.deepEqual(found({ to: "5.2.0", ...conditional(recommended("True")) }), []);
  });
});

describe("versions that cannot be read", () => {
  test("the current one only warns, in each precondition that needs it", () => {
    const result = checkPreconditions(move({ from: "?", to: "5.2.0", upgradeable: BLOCKED }), free);
    assert.deepEqual(
      [result.blocked, result.findings.map(({ reason }) => reason)],
      [false, ["InvalidCurrentVersion", "InvalidCurrentVersion", "InvalidCurrentVersion"]],
    );
  });
  test("the target blocks", () => assert.equal(checkPreconditions(move({ to: "?" }), free).blocked, true));
});

test("several findings are listed", () => {
  const result = checkPreconditions(move({ to: "5.3.0", availableUpdates: [], spec: { channel: "" } }), free);
  assert.equal(result.blocked, true);
  assert.match(
    result.message,
    /^Multiple precondition checks failed:\n\* Precondition "ClusterVersionGiantHop".*\n\* Precondition "ClusterVersionRecommendedUpdate"/,
  );
});

test("the controller's own payload is not judged", () =>
  assert.deepEqual(checkPreconditions(move({ to: "6.0.0" }), { force: false, local: true }), {
    blocked: false,
    findings: [],
    message: "",
  }));

test("accepted risks are told one after the other, none as nothing", () => {
  assert.equal(acceptedRisks("a", undefined, "", "b"), "a\nb");
  assert.equal(acceptedRisks("", undefined), undefined);
});
