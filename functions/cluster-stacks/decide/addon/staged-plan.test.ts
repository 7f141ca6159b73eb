import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { memoryReleases } from "../../ports/releases/adapters/index.ts";
import { onceReady, type Staged, stagedFiles } from "../../test/staged.ts";
import { assetsOf } from "../assets/assets.ts";
import { releaseNamed } from "../assets/test-release.ts";
import { planOf } from "./plan.ts";
import { type StoredAddon, wantedClass } from "./target.ts";

const CHARTS = { cni: { cni: "1" }, csi: { csi: "1" } };
const STAGED: Staged = {
  stages: {
    AfterControlPlaneInitialized: "  - {name: cni, action: apply}\n",
    BeforeClusterUpgrade: `  - {name: csi, action: apply, waitForPostCondition: ${onceReady("csi")}}\n  - {name: cni, action: delete}\n`,
  },
  charts: CHARTS,
  kubernetes: "v1.27.7",
};
const [OLD, TAG] = ["docker-ferrol-1-27-v1", "docker-ferrol-1-27-v2"] as const;

async function planned(self: Partial<StoredAddon>, staged = STAGED) {
  const source = memoryReleases();
  source.put(TAG, await stagedFiles(TAG, staged));
  const opening = await source.open("default", TAG);
  assert.ok(opening.state === "opened");
  const { value, faults } = assetsOf(releaseNamed(TAG), opening.release);
  assert.deepEqual(faults, undefined);
  const wanted = wantedClass({
    metadata: { name: "demo", namespace: "team" },
    spec: { topology: { class: TAG } },
  });
  assert.ok(wanted !== undefined && value !== undefined);
  return planOf({ metadata: { annotations: {} }, ...self }, wanted, value);
}
const ASKED = {
  metadata: { annotations: { "reveille.dev/hook-asked": `BeforeClusterUpgrade ${TAG} v1.27.7` } },
};
const NOT_ASKED = { metadata: { annotations: {} } };
const INSTALLED: Partial<StoredAddon> = {
  spec: { clusterStack: OLD, version: "v1" },
  status: {
    ready: true,
    target: {
      clusterStack: OLD,
      namespace: "team",
      digest: "d",
      version: "v1",
      kubernetesVersion: "v1.27.3",
    },
    stages: [{ name: "cni", action: "apply", phase: "done" }],
  },
};

describe("the stages that lead to a class", () => {
  it("are those of the first moment, where nothing is installed", async () => {
    const plan = await planned({});
    assert.ok("stages" in plan);
    assert.equal(plan.target.hook, "AfterControlPlaneInitialized");
    assert.deepEqual(
      plan.stages.map(({ name, action, chart, values }) => [name, action, chart.version, values]),
      [["cni", "apply", "0.1.0", undefined]],
    );
  });
  it("wait for the question, and are those of the upgrade then", async () => {
    assert.match(((await planned(INSTALLED)) as { readonly waits: string }).waits, /has not asked/);
    const plan = await planned({ ...INSTALLED, ...ASKED });
    assert.ok("stages" in plan);
    assert.deepEqual(plan.target.from, { clusterStack: OLD, kubernetesVersion: "v1.27.3" });
    assert.deepEqual(
      plan.stages.map(({ name, action, waitForPostCondition }) => [
        name,
        action,
        waitForPostCondition?.conditions,
      ]),
      [
        ["csi", "apply", 'it.data.ready == "yes"'],
        ["cni", "delete", undefined],
      ],
    );
  });
  it("have the values template of their chart's folder", async () => {
    const plan = await planned({}, { ...STAGED, values: { cni: "values: |\n  a: 1\n" } });
    assert.ok("stages" in plan);
    assert.deepEqual(plan.stages[0]?.values, { file: "cni/overwrite.yaml", text: "values: |\n  a: 1\n" });
  });
  it("are none where the addons and Kubernetes are the same", async () => {
    const plan = await planned(
      {
        ...INSTALLED,
        status: {
          ...INSTALLED.status,
          ready: true,
          target: {
            clusterStack: OLD,
            namespace: "team",
            digest: "d",
            version: "v1",
            kubernetesVersion: "v1.27.7",
          },
        },
      },
      { ...STAGED, addon: "v1" },
    );
    assert.ok("stages" in plan);
    assert.deepEqual([plan.stages, plan.target.hook], [[], undefined]);
  });
  it("are those of the class that is taken back, while another one's leftovers are yet to go", async () => {
    const plan = await planned({
      metadata: { annotations: { ClusterAddonStage: "upgraded" } },
      spec: { clusterStack: TAG, version: "v2" },
      status: {
        ready: false,
        target: {
          ...{ clusterStack: "docker-ferrol-1-27-v3", namespace: "team", digest: "d", version: "v3" },
          ...{ kubernetesVersion: "v1.27.7", hook: "BeforeClusterUpgrade" },
          from: { clusterStack: TAG, kubernetesVersion: "v1.27.7" },
        },
        stages: [{ name: "cni", action: "apply", phase: "done" }],
      },
    });
    assert.ok("stages" in plan);
    assert.equal(plan.target.hook, "BeforeClusterUpgrade");
    assert.deepEqual(
      plan.stages.map(({ name }) => name),
      ["csi", "cni"],
    );
  });
  it("are kept as they are recorded, where nothing is to be done after an upgrade", async () => {
    const after = {
      metadata: { annotations: { "reveille.dev/hook-asked": `AfterClusterUpgrade ${TAG} v1.27.7` } },
      spec: { clusterStack: TAG, version: "v2" },
    };
    const whole = await planned({ ...INSTALLED, ...ASKED });
    assert.ok("stages" in whole);
    const status = { ready: true, target: whole.target, stages: [] };
    const plan = await planned({ ...after, status });
    assert.ok("stages" in plan);
    assert.deepEqual([plan.target.hook, plan.stages, plan.keepsStages], ["AfterClusterUpgrade", [], true]);
    const stages = { ...STAGED.stages, AfterClusterUpgrade: "  - {name: cni, action: apply}\n" };
    const tidied = await planned({ ...after, status }, { ...STAGED, stages });
    assert.ok("stages" in tidied);
    assert.deepEqual([tidied.stages.length, tidied.keepsStages], [1, undefined]);
  });
  it("stay those of the work that is done, where only the status is yet to say so", async () => {
    const whole = await planned({ ...INSTALLED, ...ASKED });
    assert.ok("stages" in whole);
    const again = await planned({
      ...NOT_ASKED,
      spec: { clusterStack: TAG, version: "v2" },
      status: {
        ready: false,
        target: whole.target,
        stages: whole.stages.map(({ name, action }) => ({ name, action, phase: "done" })),
      },
    });
    assert.deepEqual(again, whole);
  });
});
