import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import * as z from "zod";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { type Stack, startStack } from "../../../infra/testing/stack.ts";
import { assertWoken, watchReads } from "../../../infra/testing/system/unwoken-reads.ts";
import { defineSystem, each } from "../../../shared/function/index.ts";
import type { Place, Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { availableUpdates } from "../available-updates.ts";
import { ADMIN_ACKS, ADMIN_GATES } from "../decide/release/admin-config-maps.ts";
import { freshWork, WORK_RECORD, writtenWork } from "../decide/sync/work-record.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { type MemoryUpdateGraph, memoryUpdateGraph } from "../ports/update-graph/adapters/index.ts";
import { type UpdateGraph, updateGraph } from "../ports/update-graph/index.ts";
import { upgradeable } from "../upgradeable.ts";

const RUNS = "test.example.org/runs";
const MOVES = "test.example.org/moves";
/** Stands for the sync, which has the rest of the status: what runs is said by an annotation. */
const sync = each(ClusterVersion, {
  status: ["desired", "observedGeneration", "versionHash", "history", "conditions.Progressing"],
}).function({
  name: "sync",
  reconcile: ({ self }, { now }) => {
    const version = self.metadata.annotations[RUNS];
    if (version === undefined) return {};
    const release = { version, image: `reg.example/rel:${version}` };
    const moves = self.metadata.annotations[MOVES] === "true";
    const time = self.status?.history?.[0]?.startedTime ?? now.replace(/\.\d+Z$/, "Z");
    return {
      status: {
        desired: release,
        observedGeneration: self.metadata.generation,
        versionHash: "x",
        history: [
          { state: "Completed", ...release, startedTime: time, completionTime: time, verified: true },
        ],
        conditions: [{ type: "Progressing", status: moves ? "True" : "False", lastTransitionTime: time }],
      },
    };
  },
});
const system = defineSystem({
  name: "target",
  config: z.object({ updateService: z.string().default("https://updates.example/graph") }),
  functions: [sync, availableUpdates, upgradeable],
});
const resource = resourceOf(ClusterVersion);

const node = (version: string) => ({ version, payload: `reg.example/rel:${version}` });
const risk = (promql: string) => ({
  name: "Leaks",
  url: "https://risk.example",
  message: "It leaks.",
  matchingRules: [{ type: "PromQL", promql: { promql } }],
});
/** The updates from 5.1.9: two patches, and the next minor version under a risk. */
const GRAPH = {
  nodes: ["5.1.9", "5.1.10", "5.1.11", "5.2.0"].map(node),
  edges: [
    [0, 1],
    [0, 2],
  ],
  conditionalEdges: [{ edges: [{ from: "5.1.9", to: "5.2.0" }], risks: [risk("leaky")] }],
};

type Tree = Readonly<Record<string, unknown>>;
interface Told {
  readonly availableUpdates: readonly { readonly version: string }[] | null;
  readonly conditionalUpdates?: readonly {
    readonly release: { readonly version: string };
    readonly conditions: readonly Tree[];
  }[];
  readonly conditions: readonly Readonly<Record<string, string>>[];
}

/** A cluster at 5.1.9 whose update service a test speaks for. */
class Scene {
  readonly stack: Stack;
  /** A new one for each test. */
  graph: MemoryUpdateGraph;
  constructor(stack: Stack, graph: MemoryUpdateGraph) {
    this.stack = stack;
    this.graph = graph;
  }

  /** Takes away what the last test left. */
  async begin(): Promise<void> {
    const { client } = this.stack;
    const left: readonly (readonly [Resource, Place])[] = [
      [resource, { name: "version" }],
      [resource, { name: "other" }],
      [resourceOf(ClusterOperator), { name: "dns" }],
      ...[ADMIN_ACKS, ADMIN_GATES, WORK_RECORD].map((at) => [resourceOf(ConfigMap), at] as const),
    ];
    for (const [kind, at] of left) {
      const live = await client.get(kind, at);
      if (live !== undefined) await client.delete(kind, at, { uid: live.metadata.uid ?? "" });
    }
    await this.stack.settled();
    this.graph = memoryUpdateGraph(GRAPH);
  }

  async clusterVersion(
    spec: Tree = {},
    annotations: Readonly<Record<string, string>> = { [RUNS]: "5.1.9" },
  ): Promise<void> {
    await this.stack.apply({
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "version", annotations },
      spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", channel: "steady-5.1", ...spec },
    });
    await this.stack.settled();
  }

  async configMap(
    place: { readonly name: string; readonly namespace: string },
    data: Readonly<Record<string, string>>,
  ) {
    await this.stack.apply([
      { apiVersion: "v1", kind: "Namespace", metadata: { name: place.namespace } },
      { apiVersion: "v1", kind: "ConfigMap", metadata: place, data } as KubeObject,
    ]);
    await this.stack.settled();
  }

  async operator(name: string, status: "True" | "False" | "Unknown", message = ""): Promise<void> {
    const { client } = this.stack;
    const board = resourceOf(ClusterOperator);
    const object = {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterOperator",
      metadata: { name },
      spec: {},
    };
    await client.apply(board, { name }, object, { fieldManager: "test", force: true });
    const conditions = [{ type: "Upgradeable", status, message, lastTransitionTime: "2026-02-03T09:00:00Z" }];
    const said = {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: { name },
      status: { conditions },
    };
    await client.apply(board, { name }, said, { fieldManager: "test", force: true, subresource: "status" });
    await this.stack.settled();
  }

  async told(): Promise<Told> {
    const live = await this.stack.client.get(resource, { name: "version" });
    return (live?.status ?? { availableUpdates: null, conditions: [] }) as unknown as Told;
  }
  async available(): Promise<readonly string[] | undefined> {
    return (await this.told()).availableUpdates?.map(({ version }) => version);
  }
  async condition(type: string): Promise<Readonly<Record<string, string>> | undefined> {
    return (await this.told()).conditions.find((one) => one.type === type);
  }
  /** The condition of the one update under a risk. */
  async recommended(): Promise<Tree | undefined> {
    return (await this.told()).conditionalUpdates?.[0]?.conditions[0];
  }
  async version(): Promise<string | undefined> {
    return (await this.stack.client.get(resource, { name: "version" }))?.metadata.resourceVersion;
  }
  /** Every key once more: a settled cluster stays as it is. */
  async stands(): Promise<void> {
    const before = await this.version();
    await this.stack.everyKeyOnce();
    assert.equal(await this.version(), before);
  }
}

/** Looking for updates, and what speaks against one, on an API server. */
export function targetSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane() : false;
  describe(`looking for updates on the ${api} API`, { skip: skip !== false }, () => updates(api));
}

function updates(api: "local" | "real"): void {
  const clock = leapingClock();
  const watched = watchReads(system);
  let it: Scene;
  beforeAll(async () => {
    const spoken: UpdateGraph = {
      fetch: (query) => it.graph.fetch(query),
      evaluate: (promql) => it.graph.evaluate(promql),
    };
    const stack = await startStack({
      api,
      systems: [watched.system],
      engine: { clock, ports: [updateGraph.bind(spoken)] },
    });
    it = new Scene(stack, memoryUpdateGraph(GRAPH));
  });
  afterAll(() => it.stack.stop());
  beforeEach(() => it.begin());
  afterEach(() => assertWoken(watched.take()));

  describe(`available updates on the ${api} API`, () => {
    test("waits for the release that runs, then lists what is offered and judges what is offered under risks", async () => {
      await it.clusterVersion({}, {});
      assert.deepEqual(it.graph.asked, []);
      it.graph.verdict("leaky", { state: "no match" });
      await it.clusterVersion();
      assert.deepEqual(await it.available(), ["5.2.0", "5.1.11", "5.1.10"]);
      assert.equal((await it.recommended())?.reason, "NotExposedToRisks");
      assert.equal((await it.condition("RetrievedUpdates"))?.status, "True");
      await it.stands();
    });

    test("follows a risk that comes to apply, and one that is accepted", async () => {
      it.graph.verdict("leaky", { state: "match" });
      await it.clusterVersion();
      assert.deepEqual(await it.available(), ["5.1.11", "5.1.10"]);
      assert.equal((await it.recommended())?.reason, "Leaks");
      await it.clusterVersion({
        desiredUpdate: { image: "reg.example/rel:5.2.0", acceptRisks: [{ name: "Leaks" }] },
      });
      assert.deepEqual(await it.available(), ["5.2.0", "5.1.11", "5.1.10"]);
      assert.equal((await it.recommended())?.reason, "AllExposedRisksAccepted");
      await it.stands();
    });

    test("keeps what it knows while the service is away, and forgets it for another channel", async () => {
      await it.clusterVersion();
      assert.deepEqual(await it.available(), ["5.1.11", "5.1.10"]);
      it.graph.answer({ state: "failed", reason: "RemoteFailed", message: "nobody answers" });
      await it.stack.everyKeyOnce();
      assert.deepEqual(await it.available(), ["5.1.11", "5.1.10"]);
      const told = await it.condition("RetrievedUpdates");
      assert.deepEqual(
        [told?.status, told?.reason, told?.message],
        ["False", "RemoteFailed", "Unable to retrieve available updates: nobody answers"],
      );
      assert.equal((await it.recommended())?.reason, "EvaluationFailed");
      await it.stands();
      await it.clusterVersion({ channel: "fast-5.1" });
      assert.equal(await it.available(), undefined);
      assert.equal((await it.told()).conditionalUpdates, undefined);
      await it.stands();
    });

    test("says why nothing can be asked, and asks once it can", async () => {
      await it.clusterVersion({ channel: "" });
      assert.equal((await it.condition("RetrievedUpdates"))?.reason, "NoChannel");
      assert.deepEqual(it.graph.asked, []);
      await it.clusterVersion();
      assert.equal((await it.condition("RetrievedUpdates"))?.status, "True");
      assert.deepEqual(it.graph.asked[0], {
        upstream: "https://updates.example/graph",
        architecture: "amd64",
        channel: "steady-5.1",
        clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11",
        version: "5.1.9",
      });
    });

    test("asks by itself after a few minutes", async () => {
      await it.clusterVersion();
      const asked = it.graph.asked.length;
      it.graph.answer({ state: "answered", graph: { ...GRAPH, edges: [[0, 2]], conditionalEdges: [] } });
      clock.leap(4 * 60_000);
      await eventually("another question", async () => it.graph.asked.length > asked);
      await it.stack.settled();
      assert.deepEqual(await it.available(), ["5.1.11"]);
    });

    test("asks anew for the version that the cluster comes to run", async () => {
      await it.clusterVersion();
      await it.clusterVersion({}, { [RUNS]: "5.1.10" });
      assert.equal(it.graph.asked.at(-1)?.version, "5.1.10");
      assert.equal(await it.available(), undefined);
      assert.equal((await it.condition("RetrievedUpdates"))?.status, "True");
    });
  });

  describe(`what speaks against a minor update on the ${api} API`, () => {
    test("scenario 23: an override does, until it is gone, and nothing is restarted", async () => {
      const override = { group: "apps", kind: "Deployment", namespace: "demo", name: "web", unmanaged: true };
      await it.clusterVersion({ overrides: [override] });
      assert.equal((await it.condition("Upgradeable"))?.reason, "ClusterVersionOverrides");
      await it.stands();
      await it.clusterVersion({ overrides: [] });
      assert.equal(await it.condition("Upgradeable"), undefined);
      await it.stands();
    });

    test("scenario 24: an operator that says False does, one that says Unknown does not", async () => {
      await it.clusterVersion();
      await it.operator("dns", "Unknown");
      assert.equal(await it.condition("Upgradeable"), undefined);
      await it.operator("dns", "False", "Old records must go first.");
      const told = await it.condition("Upgradeable");
      assert.deepEqual(
        [told?.status, told?.reason, told?.message],
        ["False", "RiskNameNotCompatibleWithReasonProperty", "Old records must go first."],
      );
      const dns = await it.stack.client.get(resourceOf(ClusterOperator), { name: "dns" });
      await it.stack.client.delete(
        resourceOf(ClusterOperator),
        { name: "dns" },
        { uid: dns?.metadata.uid ?? "" },
      );
      await eventually("the condition to go", async () => (await it.condition("Upgradeable")) === undefined);
    });

    test("an administrator's acknowledgement opens its gate", async () => {
      await it.clusterVersion();
      await it.configMap(ADMIN_GATES, { "ack-5.1-records": "Read about records.", "ack-5.0-old": "Old." });
      assert.equal((await it.condition("Upgradeable"))?.message, "Read about records.");
      await it.configMap(ADMIN_ACKS, { "ack-5.1-records": "true" });
      assert.equal(await it.condition("Upgradeable"), undefined);
      await it.stands();
    });

    test("scenario 39: deletions of this cluster version do, until they are over", async () => {
      await it.clusterVersion();
      const uid = (await it.stack.client.get(resource, { name: "version" }))?.metadata.uid ?? "";
      const record = (of: string, gone: boolean) =>
        writtenWork(
          freshWork({
            uid: of,
            work: "w",
            settings: "s",
            mode: "Updating",
            deletions: { 'service "demo/old"': { uid: "u", gone } },
          }),
        );
      await it.configMap(WORK_RECORD, record(uid, false));
      assert.match((await it.condition("Upgradeable"))?.message ?? "", /resources=service "demo\/old"$/);
      await it.configMap(WORK_RECORD, record("another", false));
      assert.equal(await it.condition("Upgradeable"), undefined);
      await it.configMap(WORK_RECORD, record(uid, true));
      assert.equal(await it.condition("Upgradeable"), undefined);
    });

    test("an update under way does, with all else that speaks against it", async () => {
      await it.operator("dns", "False", "Old records must go first.");
      await it.clusterVersion({}, { [RUNS]: "5.1.9", [MOVES]: "true" });
      assert.equal(
        (await it.condition("Upgradeable"))?.message,
        "Cluster should not be upgraded between minor or major versions for multiple reasons:\n* An update is already in progress and the details are in the Progressing condition.\n* Old records must go first.",
      );
      await it.stands();
    });
  });

  test(`a ClusterVersion of another name is left alone on the ${api} API`, async () => {
    await it.stack.apply({
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "other", annotations: { [RUNS]: "5.1.9" } },
      spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", channel: "steady-5.1" },
    } as KubeObject);
    await it.stack.settled();
    assert.deepEqual(it.graph.asked, []);
    const live = await it.stack.client.get(resource, { name: "other" });
    assert.deepEqual(
      (live?.status as Told | undefined)?.conditions.map(({ type }) => type),
      ["Progressing"],
    );
  });
}
