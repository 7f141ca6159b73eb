import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type Measured, type MeasuredVersion, samplesOf, snapshotOf, transitionsBetween } from "./metrics.ts";

const at = (time: string): number => Date.parse(time) / 1000;
const updating: MeasuredVersion = {
  metadata: { creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { channel: "steady", desiredUpdate: { version: "1.2.0", image: "i/c" } },
  status: {
    desired: { version: "1.1.0", image: "i/b" },
    availableUpdates: [{}, {}],
    capabilities: { enabledCapabilities: ["Console"], knownCapabilities: ["Build", "Console"] },
    history: [
      {
        state: "Partial",
        version: "1.1.0",
        image: "i/b",
        startedTime: "2026-02-03T09:00:00Z",
        completionTime: null,
      },
      {
        state: "Completed",
        version: "1.0.0",
        image: "i/a",
        startedTime: "2026-01-01T00:00:00Z",
        completionTime: "2026-01-01T00:41:00Z",
      },
    ],
    conditions: [
      { type: "Available", status: "True", reason: "", lastTransitionTime: "2026-01-01T00:41:00Z" },
      {
        type: "Failing",
        status: "True",
        reason: "ClusterOperatorDegraded",
        lastTransitionTime: "2026-02-03T09:41:00Z",
      },
      {
        type: "Progressing",
        status: "True",
        message: "Working towards 1.1.0: 12 of 40 done (30% complete), waiting on dns",
        lastTransitionTime: "2026-02-03T09:00:00Z",
      },
    ],
  },
};

describe("samplesOf", () => {
  it("tells of the versions with their times", () => {
    const { cluster_version: samples } = samplesOf({ clusterVersion: updating, operators: [] });
    assert.deepEqual(
      samples.map(({ labels, value }) => [
        labels.type,
        labels.version,
        labels.image,
        labels.from_version,
        value,
      ]),
      [
        ["initial", "1.0.0", "i/a", "", at("2026-01-01T00:00:00Z")],
        ["cluster", "1.1.0", "i/b", "1.0.0", at("2026-01-01T00:00:00Z")],
        ["current", "1.1.0", "i/b", "1.0.0", at("2026-02-03T09:00:00Z")],
        ["desired", "1.2.0", "i/c", "1.0.0", at("2026-02-03T09:41:00Z")],
        ["failure", "1.2.0", "i/c", "1.0.0", at("2026-02-03T09:41:00Z")],
        ["failure", "1.1.0", "i/b", "1.0.0", at("2026-02-03T09:41:00Z")],
        ["updating", "1.1.0", "i/b", "1.0.0", at("2026-02-03T09:00:00Z")],
        ["completed", "1.0.0", "i/a", "", at("2026-01-01T00:41:00Z")],
      ],
    );
  });

  it("tells of updates, capabilities and the payload", () => {
    const samples = samplesOf({ clusterVersion: updating, operators: [] });
    assert.deepEqual(samples.cluster_version_available_updates, [
      { labels: { upstream: "<default>", channel: "steady" }, value: 2 },
    ]);
    assert.deepEqual(samples.cluster_version_capability, [
      { labels: { name: "Build" }, value: 0 },
      { labels: { name: "Console" }, value: 1 },
    ]);
    assert.deepEqual(samples.cluster_version_payload, [
      { labels: { version: "1.1.0", type: "pending" }, value: 28 },
      { labels: { version: "1.1.0", type: "applied" }, value: 12 },
    ]);
  });

  it("tells of a cluster of which little is known, with empty words and no times", () => {
    const young: MeasuredVersion = {
      metadata: {},
      spec: {},
      status: { history: [{ state: "Partial", image: "i/a" }] },
    };
    const samples = samplesOf({ clusterVersion: young, operators: [] });
    const labels = { version: "", image: "i/a", from_version: "" };
    assert.deepEqual(samples.cluster_version, [
      { labels: { type: "initial", ...labels }, value: 0 },
      { labels: { type: "updating", ...labels }, value: 0 },
    ]);
    assert.deepEqual(samples.cluster_operator_up, [
      { labels: { name: "version", version: "", reason: "NoAvailableCondition" }, value: 0 },
    ]);
    for (const name of [
      "cluster_version_available_updates",
      "cluster_version_capability",
      "cluster_version_payload",
    ] as const)
      assert.deepEqual(samples[name], [], name);
    assert.deepEqual(
      samplesOf({ clusterVersion: { metadata: {}, spec: {} }, operators: [] }).cluster_version,
      [],
    );
  });

  it("tells that there are no updates only once they were asked for", () => {
    const asked = (status: string): MeasuredVersion => ({
      metadata: {},
      spec: { upstream: "https://updates.example.org" },
      status: { availableUpdates: null, conditions: [{ type: "RetrievedUpdates", status }] },
    });
    const updates = (status: string) =>
      samplesOf({ clusterVersion: asked(status), operators: [] }).cluster_version_available_updates;
    assert.deepEqual(updates("False"), []);
    assert.deepEqual(updates("True"), [
      { labels: { upstream: "https://updates.example.org", channel: "" }, value: 0 },
    ]);
  });

  it("tells of no wish that is fulfilled, and the origin of what came before", () => {
    const [, first] = updating.status?.history ?? [];
    const done: MeasuredVersion = {
      ...updating,
      spec: { desiredUpdate: { version: "1.1.0", image: "i/b" } },
      status: {
        desired: { version: "1.1.0", image: "i/b" },
        history: [
          {
            state: "Completed",
            version: "1.1.0",
            image: "i/b",
            startedTime: "2026-02-03T09:00:00Z",
            completionTime: "2026-02-03T10:00:00Z",
          },
          ...(first === undefined ? [] : [first]),
        ],
        capabilities: { enabledCapabilities: ["Console"] },
      },
    };
    const samples = samplesOf({ clusterVersion: done, operators: [] });
    assert.deepEqual(
      samples.cluster_version.map(({ labels }) => labels.type),
      ["initial", "cluster", "current", "completed"],
    );
    assert.deepEqual(samples.cluster_version.at(-1), {
      labels: { type: "completed", version: "1.1.0", image: "i/b", from_version: "1.0.0" },
      value: at("2026-02-03T10:00:00Z"),
    });
    assert.deepEqual(samples.cluster_version_capability, [{ labels: { name: "Console" }, value: 1 }]);
  });

  it("scenario 5: an operator without conditions is not up, for want of one", () => {
    const { cluster_operator_up: up } = samplesOf({
      clusterVersion: undefined,
      operators: [{ metadata: { name: "dns" } }],
    });
    assert.deepEqual(up, [
      { labels: { name: "dns", version: "", reason: "NoAvailableCondition" }, value: 0 },
    ]);
  });

  it("counts an available operator as up though it is degraded, and leaves Unknown out", () => {
    const samples = samplesOf({
      clusterVersion: updating,
      operators: [
        {
          metadata: { name: "dns" },
          status: {
            versions: [{ name: "operator", version: "1.0.0" }],
            conditions: [
              { type: "Available", status: "True", reason: "AsExpected" },
              { type: "Degraded", status: "True", reason: "Slow" },
              { type: "Progressing", status: "perhaps" },
            ],
          },
        },
      ],
    });
    assert.deepEqual(samples.cluster_operator_up, [
      { labels: { name: "dns", version: "1.0.0", reason: "AsExpected" }, value: 1 },
      { labels: { name: "version", version: "1.0.0", reason: "" }, value: 1 },
    ]);
    assert.deepEqual(
      samples.cluster_operator_conditions.filter(({ labels }) => labels.name === "dns"),
      [
        { labels: { name: "dns", condition: "Available", reason: "AsExpected" }, value: 1 },
        { labels: { name: "dns", condition: "Degraded", reason: "Slow" }, value: 1 },
      ],
    );
  });
});

describe("transitionsBetween", () => {
  const seen = (status: string, lastTransitionTime: string): Measured => ({
    clusterVersion: undefined,
    operators: [
      {
        metadata: { name: "dns" },
        status: { conditions: [{ type: "Degraded", status, lastTransitionTime }] },
      },
    ],
  });
  const first = snapshotOf(seen("False", "2026-02-03T09:00:00Z"));

  it("counts a change once, and one that came and went twice", () => {
    const changed = snapshotOf(seen("True", "2026-02-03T09:01:00Z"));
    assert.deepEqual([...transitionsBetween(first, changed)], [["dns/Degraded", 1]]);
    const back = snapshotOf(seen("False", "2026-02-03T09:01:00Z"));
    assert.deepEqual([...transitionsBetween(first, back)], [["dns/Degraded", 2]]);
  });

  it("counts neither what stays nor what is new", () => {
    assert.equal(transitionsBetween(first, first).size, 0);
    assert.equal(transitionsBetween(new Map(), first).size, 0);
  });
});
