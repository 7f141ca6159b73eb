import assert from "node:assert/strict";
import { follow } from "../../../infra/testing/follow.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { fieldOf, textOf } from "../../../shared/json/fields.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../../shared/kube/kinds/index.ts";
import { addonArchive, archiveNames, releaseFiles } from "../decide/assets/test-release.ts";
import { Cluster } from "../kinds/index.ts";
import { asking, clusterOf } from "./hooks.ts";
import { DockerCluster, installForeign } from "./kinds.ts";
import { type Stage, TEAM, tag } from "./stage.ts";
import { onceReady, type Staged, stagedFiles } from "./staged.ts";

const [K3, K7] = ["v1.27.3", "v1.27.7"] as const;
const USER = { fieldManager: "user" } as const;
const AFTER = `, waitForPostCondition: ${onceReady("csi")}`;
/** cni and csi; csi comes after cni and is waited for. */
const staged = (charts: Staged["charts"], more: Partial<Staged> = {}): Staged => ({
  charts,
  stages: {
    AfterControlPlaneInitialized: "  - {name: cni, action: apply}\n  - {name: csi, action: apply}\n",
    BeforeClusterUpgrade: `  - {name: cni, action: apply}\n  - {name: csi, action: apply${AFTER}}\n`,
  },
  kubernetes: K3,
  ...more,
});
const FIRST = { cni: { cni: "1", "cni-old": "1" }, csi: { csi: "1" } };
const SECOND = { cni: { cni: "2", "cni-new": "2" }, csi: { csi: "2" } };

/** Publishes releases in stages, and wants them. */
async function published(s: Stage, releases: Readonly<Record<string, Staged>>): Promise<void> {
  for (const [version, one] of Object.entries(releases))
    s.source.put(tag(version), await stagedFiles(tag(version), one), { publishedAt: "2024-01-01T00:00:00Z" });
  await s.wants({ versions: Object.keys(releases), autoSubscribe: false });
}
const demo = (s: Stage, version: string, kubernetes: string): Promise<void> =>
  s.cluster("demo", { class: tag(version), version: kubernetes });
const addon = async (s: Stage) => {
  const found = await s.addon("demo");
  assert.ok(found !== undefined, "the ClusterAddon of demo is there");
  return found;
};
const condition = async (s: Stage, type = "Ready") => {
  const found = (await addon(s)).status?.conditions?.find((one) => one.type === type);
  return (
    found && {
      status: found.status,
      severity: found.severity,
      reason: found.reason,
      message: found.message ?? "",
    }
  );
};
const reason = async (s: Stage): Promise<string | undefined> => (await condition(s))?.reason;
const phases = async (s: Stage): Promise<readonly string[]> =>
  ((await addon(s)).status?.stages ?? []).map(({ name, phase }) => `${name} ${phase}`);
const isReady = async (s: Stage, version: string): Promise<boolean> => {
  const { spec, status } = await addon(s);
  return status?.ready === true && spec?.clusterStack === tag(version) && (spec.hook ?? "") === "";
};
const ready = (s: Stage, version: string): Promise<void> =>
  s.until(`the addons of ${version}`, () => isReady(s, version));
/** Asks as Cluster API does before an upgrade; true where it may go on. */
const mayUpgrade = async (s: Stage, version: string, kubernetes = K7): Promise<boolean> => {
  const answer = await asking(s.stack.client)(
    "BeforeClusterUpgrade",
    clusterOf("demo", tag(version), kubernetes),
    {
      toKubernetesVersion: kubernetes,
    },
  );
  assert.equal(answer.status, "Success");
  assert.ok(answer.retryAfterSeconds === undefined || answer.retryAfterSeconds === 10);
  await s.settled();
  return answer.retryAfterSeconds === undefined;
};
const MAPS = resourceOf(ConfigMap);
const at = (name: string) => ({ name, namespace: "kube-system" });
const set = (there: RemoteCluster, name: string, data: Readonly<Record<string, string>>): Promise<unknown> =>
  there.client.patch(MAPS, at(name), "merge", { data }, USER);
const versionOf = async (there: RemoteCluster, name: string): Promise<string | undefined> =>
  (await there.client.get(MAPS, at(name)))?.metadata.resourceVersion;
/** The ConfigMaps that addons brought, and the value in each of them. */
const maps = async (there: RemoteCluster): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries(
    (await there.client.list(MAPS, { namespace: "kube-system" })).items.flatMap(({ metadata, data }) => {
      const value = fieldOf(data, "value");
      return value === undefined ? [] : [[metadata.name, value]];
    }),
  );

/** Watches what is applied: of what a chart brings each value must come out but once. */
function watchRenderings(there: RemoteCluster): { end(): Promise<void> } {
  const seen = new Map<string, Set<unknown>>();
  const ending = new AbortController();
  const over = follow(there.client, MAPS, ending.signal, {
    seen: ({ object }) => {
      const random = fieldOf(object.data, "random");
      if (random === undefined) return;
      const key = `${object.metadata.name} ${textOf(fieldOf(object.data, "value"))}`;
      seen.set(key, (seen.get(key) ?? new Set()).add(random));
    },
    missed: () => undefined,
  });
  return {
    async end() {
      ending.abort();
      await over;
      assert.ok(seen.size > 0);
      for (const [key, randoms] of seen) assert.equal(randoms.size, 1, `${key} was rendered once`);
    },
  };
}

/** Starts the workload cluster, and creates its Cluster. */
async function started(s: Stage, version: string): Promise<RemoteCluster> {
  const there = await s.workload("demo");
  // The connection of a Cluster that bore this name before is still known for a while.
  await s.leap(1);
  await demo(s, version, K3);
  await s.until("the workload cluster to be seen", async () => {
    if ((await condition(s, "ClusterReady"))?.status === "True") return true;
    await s.leap(1);
    return false;
  });
  return there;
}

/** Installs the first version in a workload cluster that answers. */
async function installed(s: Stage, releases: Readonly<Record<string, Staged>>): Promise<RemoteCluster> {
  await published(s, releases);
  const there = await started(s, "v1");
  await ready(s, "v1");
  return there;
}

/** Addons in stages, and the hooks of Cluster API. 24, 26, 27 and 29 to 33. */
export const stages: readonly Scenario<Stage>[] = [
  {
    number: 25,
    name: "what was rendered for stages that are no more is not kept",
    async run(s) {
      await s.workload("demo");
      const one = "  - {name: cni, action: apply}\n";
      await published(s, {
        v1: staged(FIRST),
        v2: staged(
          { cni: SECOND.cni },
          { stages: { AfterControlPlaneInitialized: one, BeforeClusterUpgrade: one } },
        ),
      });
      const kept = async () =>
        (await s.list(Secret, TEAM))
          .map(({ metadata }) => metadata.name.replace("cluster-addon-demo-", ""))
          .filter((name) => name.startsWith("rendered-"))
          .sort();
      await demo(s, "v1", K3);
      await ready(s, "v1");
      assert.deepEqual(await kept(), ["rendered-0", "rendered-1"]);
      await demo(s, "v2", K3);
      await ready(s, "v2");
      assert.deepEqual(await kept(), ["rendered-0"]);
    },
  },
  {
    number: 26,
    name: "the first installation waits for the workload cluster, and then runs its stages",
    async run(s) {
      await published(s, { v1: staged(FIRST) });
      const there = await s.workload("demo", { connected: false });
      await demo(s, "v1", K3);
      await s.until("it to wait for a kubeconfig", async () => {
        const found = await condition(s, "ClusterReady");
        return found?.severity === "Warning" && found.reason === "ControlPlaneNotReady";
      });
      await there.link("refuse");
      await s.connect(there);
      await s.until("its cluster to be there, and silent", async () => {
        const found = await condition(s, "ClusterReady");
        return found?.severity === "Info" && found.reason === "ControlPlaneNotReady";
      });
      assert.deepEqual(await maps(there), {});
      await there.link("pass");
      await s.leap(6);
      await ready(s, "v1");
      assert.deepEqual(await maps(there), { cni: "1", "cni-old": "1", csi: "1" });
      assert.deepEqual(await phases(s), ["cni done", "csi done"]);
      assert.equal((await addon(s)).metadata.annotations.ClusterAddonStage, "created");
    },
  },
  {
    number: 27,
    name: "an upgrade of Kubernetes waits for the hook, and the hook for the last stage",
    async run(s) {
      const there = await installed(s, { v1: staged(FIRST), v2: staged(SECOND, { kubernetes: K7 }) });
      const renderings = watchRenderings(there);
      await demo(s, "v2", K7);
      await s.until("it to wait", async () => (await reason(s)) === "HookServerUnresponsive");
      assert.match((await condition(s))?.message ?? "", /has not asked BeforeClusterUpgrade/);
      assert.deepEqual(await maps(there), { cni: "1", "cni-old": "1", csi: "1" });
      assert.equal(await mayUpgrade(s, "v2"), false);
      await s.until("its second stage to wait", async () =>
        (await phases(s)).includes("csi waitingForPostCondition"),
      );
      assert.equal((await addon(s)).spec?.hook, "BeforeClusterUpgrade");
      assert.equal(await reason(s), "EvaluateCELConditionFailed");
      assert.equal(await mayUpgrade(s, "v2"), false);
      await set(there, "csi", { ready: "yes" });
      await ready(s, "v2");
      assert.equal(await mayUpgrade(s, "v2"), true);
      assert.deepEqual(await maps(there), { cni: "2", "cni-new": "2", csi: "2" });
      const { metadata } = await addon(s);
      assert.equal(metadata.annotations.ClusterAddonStage, "upgraded");
      assert.equal(metadata.annotations["reveille.dev/hook-asked"], undefined);
      await renderings.end();
    },
  },
  {
    number: 29,
    name: "what comes after an upgrade runs once, however often it is asked for",
    async run(s) {
      const after = `  - {name: tidy, action: apply}\n  - {name: csi, action: delete}\n`;
      const first = staged({ ...FIRST, tidy: { tidy: "1" } });
      const there = await installed(s, {
        v1: { ...first, stages: { ...first.stages, AfterClusterUpgrade: after } },
      });
      const ask = () =>
        asking(s.stack.client)("AfterClusterUpgrade", clusterOf("demo", tag("v1"), K3), {
          kubernetesVersion: K3,
        });
      assert.deepEqual(
        await Promise.all([ask(), ask(), ask()]),
        Array.from({ length: 3 }, () => ({ status: "Success" })),
      );
      await s.until("it to be tidy", async () => "tidy" in (await maps(there)) && (await isReady(s, "v1")));
      assert.deepEqual(await maps(there), { cni: "1", "cni-old": "1", tidy: "1" });
      const { metadata } = await addon(s);
      await ask();
      await s.settled();
      assert.equal((await addon(s)).metadata.resourceVersion, metadata.resourceVersion);
    },
  },
  {
    number: 29,
    name: "whether Cluster API is yet to ask, the control plane says: one that was upgraded meanwhile is waited for no longer",
    async run(s) {
      const there = await installed(s, { v1: staged(FIRST), v2: staged(SECOND, { kubernetes: K7 }) });
      const plane = { name: "demo-plane", namespace: TEAM };
      await s.put(DockerCluster, plane, { spec: { version: K3 } });
      const controlPlaneRef = {
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
        kind: "DockerCluster",
        name: plane.name,
      };
      const topology = { class: tag("v2"), version: K7 };
      await s.put(Cluster, { name: "demo", namespace: TEAM }, { spec: { topology, controlPlaneRef } });
      await s.until("it to wait", async () => (await reason(s)) === "HookServerUnresponsive");
      assert.deepEqual(await maps(there), { cni: "1", "cni-old": "1", csi: "1" });
      await s.put(DockerCluster, plane, { spec: { version: K7 } });
      await s.until("its stages", async () => (await phases(s)).includes("csi waitingForPostCondition"));
      await set(there, "csi", { ready: "yes" });
      await ready(s, "v2");
      assert.equal(await mayUpgrade(s, "v2"), true);
    },
  },
  {
    number: 30,
    name: "a stage waits for its conditions, says why and how late it is, and the next is not begun before",
    async run(s) {
      const before = `  - {name: cni, action: apply, waitForPreCondition: ${onceReady("gate")}}\n  - {name: csi, action: apply}\n`;
      await published(s, { v1: staged(FIRST, { stages: { AfterControlPlaneInitialized: before } }) });
      const there = await started(s, "v1");
      await s.until("it to wait", async () => (await reason(s)) === "ObjectNotFound");
      assert.deepEqual(await phases(s), ["cni waitingForPreCondition", "csi Pending"]);
      await s.leap(31);
      await s.until("it to be late", async () => (await reason(s)) === "StageDeadlineExceeded");
      assert.match(
        (await condition(s))?.message ?? "",
        /stage cni, waitForPreCondition.*ConfigMap kube-system\/gate is not there/,
      );
      assert.deepEqual(await maps(there), {});
      const gate = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "gate", namespace: "kube-system" },
      };
      await there.client.create(resourceOf(ConfigMap), { ...gate, data: { ready: "no", value: "" } }, USER);
      await s.settled();
      assert.deepEqual(await phases(s), ["cni waitingForPreCondition", "csi Pending"]);
      await set(there, "gate", { ready: "yes" });
      await ready(s, "v1");
      assert.deepEqual(await maps(there), { gate: "", cni: "1", "cni-old": "1", csi: "1" });
    },
  },
  {
    number: 30,
    name: "each way in which a condition cannot be asked has its reason",
    async run(s) {
      const asked = (object: string, text: string): string =>
        `  - {name: cni, action: apply, waitForPostCondition: {objects: [{key: it, ${object}, namespace: kube-system}], conditions: '${text}'}}\n  - {name: csi, action: apply}\n`;
      const cni = "apiVersion: v1, kind: ConfigMap, name: cni";
      const reasons: readonly (readonly [stage: string, reason: string])[] = [
        [asked("apiVersion: v1, kind: ConfigMap, name: none", "true"), "ObjectNotFound"],
        [asked(cni, "it.data.value"), "CELExpressionTypeMismatch"],
        [asked(cni, 'it.data.none == "1"'), "EvaluateCELConditionFailed"],
        [
          asked("apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster, name: late", "it.spec.late"),
          "CRDNotExisting",
        ],
      ];
      const versions = reasons.map((_, index) => `v${index + 1}`);
      await published(
        s,
        Object.fromEntries(
          reasons.map(([stage], index) => [
            `v${index + 1}`,
            staged(FIRST, { stages: { AfterControlPlaneInitialized: stage } }),
          ]),
        ),
      );
      const there = await started(s, "v1");
      for (const [index, version] of versions.entries()) {
        await demo(s, version, K3);
        const expected = reasons[index]?.[1];
        await s.until(`${expected}`, async () => (await reason(s)) === expected);
        assert.deepEqual(await phases(s), ["cni waitingForPostCondition", "csi Pending"]);
        assert.deepEqual(await maps(there), { cni: "1", "cni-old": "1" });
      }
      await installForeign(there.client, Cluster);
      const late = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", metadata: at("late") };
      await there.client.create(resourceOf(Cluster), { ...late, spec: { late: true } }, USER);
      await s.leap(1);
      await ready(s, versions.at(-1) ?? "");
    },
  },
  {
    number: 31,
    name: "a stage whose chart is missing, or cannot be rendered, is told; later ones do not run",
    async run(s) {
      const good = await stagedFiles(tag("v1"), staged(FIRST));
      s.source.put(tag("v1"), { ...good, [archiveNames(tag("v1")).addon]: await addonArchive("cni") });
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      const there = await started(s, "v1");
      await s.until("the fault", async () => (await reason(s)) === "ParsingClusterAddonConfigFailed");
      assert.match(
        (await condition(s))?.message ?? "",
        /stage csi of AfterControlPlaneInitialized: name: .* no chart in a folder csi/,
      );
      s.source.put(
        tag("v2"),
        await stagedFiles(tag("v2"), staged(FIRST, { values: { cni: "{{ fail .Cluster.metadata.name }}" } })),
      );
      await s.leap(11);
      await demo(s, "v2", K3);
      await s.until("the fault", async () => (await reason(s)) === "TemplateNewClusterStackOverwriteFailed");
      assert.match(
        (await condition(s))?.message ?? "",
        /^stage cni of docker-ferrol-1-27-v2: .*overwrite\.yaml.*; move the Cluster to a version in which that is mended$/,
      );
      assert.deepEqual(await maps(there), {});
      assert.equal((await addon(s)).status?.ready, false);
    },
  },
  {
    number: 32,
    name: "a faulty release is left for a fixed one, which is asked for anew",
    async run(s) {
      const faulty = staged({ ...SECOND, csi: { csi: "faulty" } }, { kubernetes: K7 });
      const there = await installed(s, {
        v1: staged(FIRST),
        v2: faulty,
        v3: staged(SECOND, { kubernetes: K7 }),
      });
      await demo(s, "v2", K7);
      assert.equal(await mayUpgrade(s, "v2"), false);
      await s.until("it to be stuck", async () => (await phases(s)).includes("csi waitingForPostCondition"));
      await demo(s, "v3", K7);
      await s.until("it to wait", async () => (await reason(s)) === "HookServerUnresponsive");
      assert.equal(await mayUpgrade(s, "v2"), false);
      assert.equal(await mayUpgrade(s, "v3"), false);
      await set(there, "csi", { ready: "yes" });
      await ready(s, "v3");
      assert.equal(await mayUpgrade(s, "v3"), true);
      assert.deepEqual(await maps(there), { cni: "2", "cni-new": "2", csi: "2" });
    },
  },
  {
    number: 33,
    name: "a class that is left while its stages run leaves nothing behind",
    async run(s) {
      const there = await installed(s, {
        v1: staged(FIRST),
        v2: staged({ cni: { cni: "2", "cni-new": "2" }, csi: { csi: "2", "csi-new": "2" } }),
        v3: staged({ cni: { cni: "3" }, csi: { csi: "3" } }),
      });
      await demo(s, "v2", K3);
      await s.until("it to run", async () => (await phases(s)).includes("csi waitingForPostCondition"));
      assert.deepEqual(Object.keys(await maps(there)).sort(), [
        "cni",
        "cni-new",
        "cni-old",
        "csi",
        "csi-new",
      ]);
      await demo(s, "v3", K3);
      await set(there, "csi", { ready: "yes" });
      await ready(s, "v3");
      assert.deepEqual(await maps(there), { cni: "3", csi: "3" });
      await demo(s, "v1", K3);
      await ready(s, "v1");
      assert.deepEqual(await maps(there), { cni: "1", "cni-old": "1", csi: "1" });
    },
  },
  {
    number: 24,
    name: "addons in one stage are followed by addons in stages: what stays is not written, what is new comes, in order",
    async run(s) {
      const map = (name: string, value: string): string =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`;
      const one = ["same", "changed", "vanished"].map((name) => map(name, "1")).join("---\n");
      const single = { kubernetes: K3, addons: { "templates/all.yaml": one } };
      s.source.put(tag("v1"), await releaseFiles(tag("v1"), single));
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      const there = await started(s, "v1");
      await ready(s, "v1");
      const before = await versionOf(there, "same");
      const next = {
        kubernetes: K7,
        plain: { cni: { same: "1", changed: "2" }, csi: { csi: "1" } },
        charts: { cni: {}, csi: {} },
      };
      s.source.put(tag("v2"), await stagedFiles(tag("v2"), staged(next.charts, next)));
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      await demo(s, "v2", K7);
      assert.equal(await mayUpgrade(s, "v2"), false);
      await s.until("its stages", async () => (await phases(s)).includes("csi waitingForPostCondition"));
      assert.deepEqual(await maps(there), { same: "1", changed: "2", vanished: "1", csi: "1" });
      await set(there, "csi", { ready: "yes" });
      await ready(s, "v2");
      assert.equal(await mayUpgrade(s, "v2"), true);
      assert.deepEqual(await maps(there), { same: "1", changed: "2", csi: "1" });
      assert.equal(await versionOf(there, "same"), before, "it was not written");
    },
  },
];
