import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { clusterVersion, completed, partial } from "../../test/target-objects.ts";
import { type UpgradeableWorld, upgradeableVerdict, upgradeRisks } from "./upgradeable-sources.ts";

const world = (more: Partial<UpgradeableWorld> = {}): UpgradeableWorld => ({
  clusterVersion: clusterVersion(),
  operators: [],
  adminGates: undefined,
  adminAcks: undefined,
  deletions: [],
  ...more,
});
const said = (more: Partial<UpgradeableWorld> = {}) => upgradeableVerdict(upgradeRisks(world(more)));
const operator = (name: string, status: string, message?: string) => ({
  metadata: { name },
  status: {
    conditions: [
      { type: "Upgradeable", status, reason: "AsExpected", ...(message !== undefined && { message }) },
    ],
  },
});
const override = { kind: "Deployment", group: "apps", namespace: "d", name: "x", unmanaged: true };

test("nothing speaks against an update: no condition", () => assert.equal(said(), undefined));

test("an update under way", () => {
  const conditions = [{ type: "Progressing", status: "True" }];
  assert.deepEqual(said({ clusterVersion: clusterVersion({}, { conditions }) }), {
    status: "False",
    reason: "ClusterVersionUpdating",
    message: "An update is already in progress and the details are in the Progressing condition.",
  });
});

test("scenario 23: an override that leaves something unmanaged, until it is gone", () => {
  const reasonWith = (unmanaged: boolean) =>
    said({ clusterVersion: clusterVersion({ overrides: [{ ...override, unmanaged }] }) })?.reason;
  assert.equal(reasonWith(true), "ClusterVersionOverrides");
  assert.equal(reasonWith(false), undefined);
});

test("scenario 39: deletions under way, by name", () =>
  assert.equal(
    said({ deletions: ['service "d/b"', 'job "d/a"'] })?.message,
    'Cluster minor or major version upgrades are not allowed while resource deletions are in progress; resources=job "d/a",service "d/b"',
  ));

describe("scenario 24: cluster operators", () => {
  for (const [name, operators, reason] of [
    ["none has the condition", [{ metadata: { name: "dns" } }], undefined],
    ["Unknown", [operator("dns", "Unknown")], undefined],
    ["True", [operator("dns", "True")], undefined],
    ["a word of its own", [operator("dns", "Nope")], undefined],
    ["False", [operator("dns", "False", "fix it")], "RiskNameNotCompatibleWithReasonProperty"],
    ["two", [operator("dns", "False", "fix it"), operator("a", "False", "mend it")], "MultipleReasons"],
  ] as const)
    test(name, () => assert.equal(said({ operators })?.reason, reason));
  test("their messages, by name", () =>
    assert.equal(
      said({ operators: [operator("dns", "False", "fix it"), operator("a", "False", "mend it")] })?.message,
      "Cluster should not be upgraded between minor or major versions for multiple reasons:\n* mend it\n* fix it",
    ));
  test("one that does not say why is named", () =>
    assert.equal(
      said({ operators: [operator("dns", "False")] })?.message,
      "Cluster operator dns reports Upgradeable=False (AsExpected) and does not say why.",
    ));
});

describe("what administrators must acknowledge", () => {
  const gate = { "ack-5.1-api-removals": "Read the article." };
  for (const [name, adminGates, adminAcks, history, expected] of [
    ["nothing, without gates", undefined, undefined, undefined, undefined],
    ["a gate of the current minor version", gate, {}, undefined, "Read the article."],
    ["the same, without acknowledgements", gate, undefined, undefined, "Read the article."],
    ["not, where it is acknowledged", gate, { "ack-5.1-api-removals": "true" }, undefined, undefined],
    ["still, where it says yes", gate, { "ack-5.1-api-removals": "yes" }, undefined, "Read the article."],
    ["not that of another minor version", { "ack-5.0-x": "Old." }, {}, undefined, undefined],
    [
      "that of what was completed, while more is under way",
      gate,
      {},
      [partial("5.2.0"), completed("5.1.9")],
      "Read the article.",
    ],
    [
      "a gate that says nothing",
      { "ack-5.1-x": "" },
      {},
      undefined,
      "admin-gates configmap gate ack-5.1-x must contain a non-empty value.",
    ],
    ["nothing before the first history entry", gate, {}, [], undefined],
  ] as const)
    test(name, () =>
      assert.equal(
        said({
          adminGates,
          adminAcks,
          ...(history !== undefined && { clusterVersion: clusterVersion({}, { history }) }),
        })?.message,
        expected,
      ),
    );
  test("a gate whose name cannot be read", () =>
    assert.match(
      said({ adminGates: { "ack-5.1": "x" } })?.message ?? "",
      /^admin-gates configmap gate "ack-5.1" is invalid: .* must comply with "\^ack-/,
    ));
});

test("all sources together keep their order", () => {
  const conditions = [{ type: "Progressing", status: "True" }];
  const risks = upgradeRisks({
    clusterVersion: clusterVersion({ overrides: [override] }, { conditions }),
    operators: [operator("dns", "False", "fix it")],
    adminGates: { "ack-5.1-x": "Read." },
    adminAcks: {},
    deletions: ["x"],
  });
  assert.deepEqual(
    risks.map(({ name }) => name),
    [
      "ClusterVersionUpdating",
      "ClusterVersionOverrides",
      "ResourceDeletionInProgress",
      "AdminAck-ack-5.1-x",
      "ClusterOperatorUpgradeable-dns",
    ],
  );
});
