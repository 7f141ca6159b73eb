import assert from "node:assert/strict";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../../shared/kube/kinds/index.ts";
import { Cluster, ClusterAddon } from "../kinds/index.ts";
import { condition, names, ready, SYSTEM } from "./addons.ts";
import { asking, clusterOf } from "./hooks.ts";
import { type Stage, TEAM, tag } from "./stage.ts";
import { onceReady, type Staged, stagedFiles } from "./staged.ts";

const [K3, K7] = ["v1.27.3", "v1.27.7"] as const;
const [BEFORE, AFTER] = ["BeforeClusterUpgrade", "AfterClusterUpgrade"] as const;
const DEMO = { name: "demo", namespace: TEAM };
const PAUSED = "cluster.x-k8s.io/paused";
/** Before an upgrade the stage cni waits until somebody lets it go on. */
const STAGES = {
  AfterControlPlaneInitialized: "  - {name: cni, action: apply}\n",
  [BEFORE]: `  - {name: cni, action: apply, waitForPostCondition: ${onceReady("cni")}}\n`,
};
const TIDY = { ...STAGES, [AFTER]: "  - {name: tidy, action: apply}\n" };

const demo = (s: Stage, version: string, kubernetes: string): Promise<void> =>
  s.cluster("demo", { class: tag(version), version: kubernetes });

/** Publishes v1 for the older Kubernetes and v2 for the newer, and installs v1. */
async function installed(s: Stage, stages: Staged["stages"] = TIDY): Promise<RemoteCluster> {
  for (const [version, kubernetes] of Object.entries({ v1: K3, v2: K7 })) {
    const charts = { cni: { cni: version }, tidy: { tidy: version } };
    s.source.put(tag(version), await stagedFiles(tag(version), { stages, charts, kubernetes }));
  }
  await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
  const there = await s.workload("demo");
  await s.leap(1);
  await demo(s, "v1", K3);
  await ready(s, "v1");
  return there;
}
const ask = (s: Stage, hook: string, version: string, kubernetes: string) =>
  asking(s.stack.client)(hook, clusterOf("demo", tag(version), kubernetes), {
    [hook === BEFORE ? "toKubernetesVersion" : "kubernetesVersion"]: kubernetes,
  });
const stored = async (s: Stage) => {
  const { spec, metadata, status } = (await s.addon("demo")) ?? assert.fail("it has no ClusterAddon");
  const asked = metadata.annotations["reveille.dev/hook-asked"];
  return { hook: spec?.hook ?? "", asked, target: status?.target?.hook, version: metadata.resourceVersion };
};
const waits = (s: Stage): Promise<void> =>
  s.until("its stage to wait", async () => {
    const { stages = [] } = (await s.addon("demo"))?.status ?? {};
    return stages[0]?.phase === "waitingForPostCondition";
  });
const letGo = ({ client }: RemoteCluster): Promise<unknown> =>
  client.patch(
    resourceOf(ConfigMap),
    { name: "cni", namespace: SYSTEM },
    "merge",
    { data: { ready: "yes" } },
    { fieldManager: "user" },
  );
const annotated = (s: Stage, kind: typeof Cluster | typeof ClusterAddon, name: string, paused: "" | null) =>
  s.stack.client.patch(
    resourceOf(kind),
    { name, namespace: TEAM },
    "merge",
    { metadata: { annotations: { [PAUSED]: paused } } },
    { fieldManager: "user" },
  );

/** Questions of Cluster API that come early, late, twice, or about what has changed meanwhile. 27 and 29. */
export const orders: readonly Scenario<Stage>[] = [
  {
    number: 29,
    name: "a question before an upgrade that comes after the one for afterwards takes nothing away from that",
    async run(s) {
      const there = await installed(s);
      await demo(s, "v2", K7);
      assert.equal((await ask(s, BEFORE, "v2", K7)).retryAfterSeconds, 10);
      await waits(s);
      assert.deepEqual(await ask(s, AFTER, "v2", K7), { status: "Success" });
      assert.equal((await ask(s, BEFORE, "v2", K7)).retryAfterSeconds, 10);
      const { hook, asked } = await stored(s);
      assert.deepEqual([hook, asked], [BEFORE, `${AFTER} ${tag("v2")} ${K7}`]);
      await letGo(there);
      await s.until("the last stage", async () => (await stored(s)).target === AFTER);
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["cni", "tidy"]);
      const { version, ...rest } = await stored(s);
      assert.deepEqual(rest, { hook: "", asked: undefined, target: AFTER });
      for (const late of [BEFORE, AFTER])
        assert.deepEqual(await ask(s, late, "v2", K7), { status: "Success" });
      await s.settled();
      assert.equal((await stored(s)).version, version);
    },
  },
  {
    number: 29,
    name: "where nothing is to be done after an upgrade, it is still known how what stands was rendered",
    async run(s) {
      const there = await installed(s, STAGES);
      await demo(s, "v2", K7);
      await ask(s, BEFORE, "v2", K7);
      await waits(s);
      await letGo(there);
      await ready(s, "v2");
      await ask(s, AFTER, "v2", K7);
      await s.until("it to be noted", async () => (await stored(s)).target === AFTER);
      await s.settled();
      const { stages } = (await s.addon("demo"))?.status ?? {};
      assert.deepEqual(
        stages?.map(({ name, phase }) => [name, phase]),
        [["cni", "done"]],
      );
      const kept = (await s.list(Secret, TEAM)).filter(({ metadata }) =>
        metadata.name.includes("-rendered-"),
      );
      assert.equal(kept.length, 1);
      const { version } = await stored(s);
      await ask(s, AFTER, "v2", K7);
      await s.settled();
      assert.equal((await stored(s)).version, version);
    },
  },
  {
    number: 27,
    name: "what is paused says so to Cluster API, and goes on afterwards",
    async run(s) {
      const there = await installed(s);
      await demo(s, "v2", K7);
      await ask(s, BEFORE, "v2", K7);
      await waits(s);
      for (const [kind, name] of [
        [Cluster, "demo"],
        [ClusterAddon, "cluster-addon-demo"],
      ] as const) {
        await annotated(s, kind, name, "");
        const { message, retryAfterSeconds } = await ask(s, BEFORE, "v2", K7);
        assert.equal(retryAfterSeconds, 10);
        assert.match(String(message), new RegExp(`: ${kind.kind} ${name} is paused: .*${PAUSED}`));
        await annotated(s, kind, name, null);
      }
      await letGo(there);
      await ready(s, "v2");
      assert.deepEqual(await ask(s, BEFORE, "v2", K7), { status: "Success" });
    },
  },
  {
    number: 27,
    name: "a Cluster on its way out is held up by nobody, and nothing is stored about it",
    async run(s) {
      await installed(s);
      const finalizers = (wanted: readonly string[] | null) =>
        s.stack.client.patch(
          resourceOf(Cluster),
          DEMO,
          "merge",
          { metadata: { finalizers: wanted } },
          { fieldManager: "user" },
        );
      await demo(s, "v2", K7);
      await finalizers(["example.org/held"]);
      await s.stack.client.delete(resourceOf(Cluster), DEMO, { uid: undefined });
      await s.settled();
      const { version } = await stored(s);
      for (const hook of [BEFORE, AFTER])
        assert.deepEqual(await ask(s, hook, "v2", K7), { status: "Success" });
      assert.equal((await stored(s)).version, version);
      await finalizers(null);
      await s.until("its addons to go with it", async () => (await s.addon("demo")) === undefined);
    },
  },
  {
    number: 32,
    name: "a question about a class that is left before anything began is forgotten",
    async run(s) {
      const there = await installed(s);
      await annotated(s, ClusterAddon, "cluster-addon-demo", "");
      await demo(s, "v2", K7);
      await ask(s, BEFORE, "v2", K7);
      await demo(s, "v1", K3);
      await annotated(s, ClusterAddon, "cluster-addon-demo", null);
      await s.until("it to be forgotten", async () => (await stored(s)).asked === undefined);
      assert.equal((await stored(s)).hook, "");
      await demo(s, "v2", K7);
      assert.equal((await condition(s, "HookServerReady"))?.reason, "HookServerUnresponsive");
      await s.settled();
      assert.equal((await stored(s)).target, "AfterControlPlaneInitialized", "nobody asked again");
      assert.deepEqual(await names(there), ["cni"]);
    },
  },
  {
    number: 27,
    name: "addons that nobody is asked about say what is missing for that",
    async run(s) {
      await installed(s);
      const says = async (words: RegExp): Promise<void> =>
        s.until(`it to say ${words}`, async () =>
          words.test((await condition(s, "HookServerReady"))?.message ?? ""),
        );
      await demo(s, "v2", K3);
      await says(/has not asked .*: set the Cluster's spec.topology.version to v1.27.7, it is v1.27.3$/);
      await demo(s, "v2", K7);
      await says(/RuntimeSDK and the ExtensionConfig reveille$/);
      const charts = { cni: { cni: "v3" }, tidy: { tidy: "v3" } };
      const files = await stagedFiles(tag("v3"), { stages: TIDY, charts, kubernetes: "v1.27.9" });
      s.source.put(tag("v3"), files);
      await demo(s, "v3", "v1.27.9");
      await says(/ClusterStackRelease team-a\/docker-ferrol-1-27-v3 is not there, .*spec.versions/);
      await s.wants({ versions: ["v1", "v2", "v3"], autoSubscribe: false });
      await says(/RuntimeSDK and the ExtensionConfig reveille$/);
    },
  },
];
