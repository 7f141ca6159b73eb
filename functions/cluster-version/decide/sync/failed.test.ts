import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { ClusterVersion } from "../../kinds/index.ts";
import { failedStatus } from "./failed.ts";

const NOW = "2026-02-03T09:20:00Z";
const BEFORE = "2026-02-03T09:10:00Z";
const failedOf = (status?: object) => {
  const object = parseObject(ClusterVersion, {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version", uid: "u", resourceVersion: "5", generation: 7, creationTimestamp: BEFORE },
    spec: { clusterID: "4f1c9a52-2f0e-4a53-9d0a-0b9f0a3f7c11" },
    ...(status && { status }),
  });
  const failed = failedStatus(object, "the disk is full", NOW);
  const condition = (wanted: string) => failed.conditions?.find(({ type }) => type === wanted);
  return { failed, condition };
};

describe("the status of a sync that failed itself", () => {
  it("says so where nothing was told before", () => {
    const { failed, condition } = failedOf();
    assert.equal(condition("Available")?.status, "False");
    assert.equal(condition("Failing")?.message, "the disk is full");
    assert.equal(condition("Progressing")?.status, "False");
    assert.equal(failed.observedGeneration, 7);
    assert.deepEqual(failed.history ?? [], []);
  });

  it("keeps all that was told before, and does not end an update that is under way", () => {
    const release = { version: "1.1.0", image: "demo.example/release:1.1.0" };
    const history = [
      { ...release, state: "Partial", startedTime: BEFORE, completionTime: null, verified: false },
    ];
    const capabilities = { enabledCapabilities: ["Console"], knownCapabilities: ["Console", "Storage"] };
    const said = (type: string, status: string) => ({ type, status, lastTransitionTime: BEFORE });
    const { failed, condition } = failedOf({
      ...{ desired: release, history, capabilities, observedGeneration: 6, versionHash: "hash" },
      availableUpdates: null,
      conditions: [said("Progressing", "True"), said("Available", "True"), said("Invalid", "True")],
    });
    assert.deepEqual(
      [failed.desired?.version, failed.versionHash, failed.observedGeneration],
      ["1.1.0", "hash", 6],
    );
    assert.deepEqual(
      failed.history?.map(({ state }) => state),
      ["Partial"],
    );
    assert.deepEqual(failed.capabilities?.knownCapabilities, ["Console", "Storage"]);
    assert.deepEqual(
      [condition("Progressing")?.status, condition("Progressing")?.lastTransitionTime],
      ["True", BEFORE],
    );
    assert.match(condition("Progressing")?.message ?? "", /^Error ensuring .*the disk is full$/);
    assert.deepEqual(
      [condition("Available")?.status, condition("Available")?.lastTransitionTime],
      ["False", NOW],
    );
    assert.equal(condition("Invalid")?.status, "True");
  });
});
