import assert from "node:assert/strict";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it, type TestContext } from "vitest";
import { temporaryFolder } from "../../../infra/testing/command-line.ts";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { mortalClient } from "../../../infra/testing/mortal-client.ts";
import { installKinds, type Stack, startStack } from "../../../infra/testing/stack.ts";
import { assertWoken, type WatchedSystem, watchReads } from "../../../infra/testing/system/unwoken-reads.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { defineSystem, type System } from "../../../shared/function/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { storedPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import { payloads } from "../../../shared/ports/payloads/index.ts";
import { configuration } from "../configuration.ts";
import { clusterOperatorDependencies } from "../dependencies.ts";
import { ClusterOperatorDependency } from "../kinds/cluster-operator-dependency.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { Scheduler, schedulers } from "./dependency-consumer.ts";

const system = defineSystem({
  name: "coordination",
  config: configuration,
  functions: [clusterOperatorDependencies],
  ports: () => [payloads.bind(storedPayloads({ folder: join(import.meta.dirname, "../samples/releases") }))],
});
const board = resourceOf(ClusterOperator);
const MEANT = [
  {
    function: "cluster-operator-dependencies",
    kind: "ClusterOperator",
    path: "metadata.resourceVersion",
    why: "it is noted once, of the state in which the dependency was met, and nothing is decided by it",
  },
];
const NOW = "2026-02-03T09:00:00Z";

const dependency = (name: string, spec: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "reveille.dev/v1",
  kind: "ClusterOperatorDependency",
  metadata: { name },
  spec,
});
const schedulerWaits = dependency("scheduler-waits", {
  consumer: "scheduler",
  operator: "kube-apiserver",
  version: "1.14.0",
});

const scheduler: KubeObject = {
  apiVersion: "demo.example.org/v1",
  kind: "Scheduler",
  metadata: { name: "scheduler" },
  spec: {},
};

const healthy = { Available: "True", Progressing: "False", Degraded: "False" };
/** The status that an operator writes in one update. */
const says = (version: string, conditions: Readonly<Record<string, string>> = {}) => ({
  versions: [{ name: "operator", version }],
  conditions: Object.entries({ ...healthy, ...conditions }).map(([type, status]) => ({
    type,
    status,
    lastTransitionTime: NOW,
  })),
});

/** A cluster in which operators are written by hand, and the events about dependencies are kept. */
class Stage {
  readonly stack: Stack;
  readonly events: string[] = [];
  readonly #watched: WatchedSystem;
  constructor(stack: Stack, watched: WatchedSystem) {
    this.stack = stack;
    this.#watched = watched;
    stack.engine.bus.subscribe({
      published: ({ type, data }) => {
        const { ref, facts } = data as {
          readonly ref: { readonly kind: string };
          readonly facts: Readonly<Record<string, string>>;
        };
        if (type.startsWith("dependency.") && ref.kind === "ClusterOperatorDependency")
          this.events.push(`${type} ${facts.consumer} ${facts.operator} ${facts.operand} ${facts.version}`);
      },
    });
  }

  async write(name: string, status: unknown): Promise<void> {
    await this.writeOnly(name, status);
    await this.stack.settled();
  }

  async writeOnly(name: string, status: unknown): Promise<void> {
    const { client } = this.stack;
    const live =
      (await client.get(board, { name })) ??
      (await client.create(
        board,
        { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", metadata: { name }, spec: {} },
        { fieldManager: "test" },
      ));
    await client.replace(board, { name }, { ...live, status } as KubeObject, {
      fieldManager: "test",
      subresource: "status",
    });
  }

  /** Looks at everything once more: in a settled world nothing is written, and nobody is told anything. */
  async staysAsItIs(): Promise<void> {
    const events = [...this.events];
    const before = this.stack.runs().length;
    await this.stack.everyKeyOnce();
    const writes = this.stack
      .runs()
      .slice(before)
      .flatMap((run) => run.writes.filter(({ sent }) => sent));
    assert.deepEqual(writes, []);
    assert.deepEqual(this.events, events);
    assertWoken(this.#watched.take(), MEANT);
  }

  async moving(): Promise<unknown> {
    return (await this.stack.client.get(resourceOf(Scheduler), { name: "scheduler" }))?.status;
  }

  async condition(name: string, type: string): Promise<Readonly<Record<string, string>> | undefined> {
    const found = await this.stack.client.get(resourceOf(ClusterOperatorDependency), { name });
    const { conditions = [] } = (found?.status ?? {}) as {
      readonly conditions?: readonly Readonly<Record<string, string>>[];
    };
    return conditions.find((one) => one.type === type);
  }
}

interface StageOptions {
  readonly settle?: string;
  readonly further?: readonly System[];
  readonly directory?: string;
}

/** A new engine on the server that all scenarios share, in which nothing is left of the one before. */
async function stage(t: TestContext, api: TestApi, options: StageOptions = {}): Promise<Stage> {
  const { settle = "0s", further = [], directory } = options;
  const watched = watchReads(system);
  const systems = [watched.system, ...further];
  await installKinds(api.client, systems);
  for (const kind of [ClusterOperatorDependency, ClusterOperator, ClusterVersion])
    for await (const page of api.client.pages(resourceOf(kind)))
      for (const { metadata } of page.items)
        await api.client.delete(resourceOf(kind), metadata, { uid: metadata.uid });
  const stack = await startStack({
    api: { ...api, stop: async () => undefined },
    ...(directory !== undefined && { directory }),
    systems,
    configuration: { coordination: { dependencies: { settle } } },
  });
  t.onTestFinished(() => stack.stop());
  return new Stage(stack, watched);
}

/** The waits of operators for each other, on an API server. */
export function coordinationSuite(server: "local" | "real"): void {
  const ready = "dependency.ready scheduler kube-apiserver operator 1.14.0";
  const lost = "dependency.lost scheduler kube-apiserver operator 1.14.0";
  const skip = server === "real" ? skipWithoutControlPlane() : false;
  describe(`coordination of operators on the ${server} API`, { skip: skip !== false }, () => {
    let api: TestApi;
    beforeAll(async () => {
      api = await startTestApi({ api: server, controllers: false });
    });
    afterAll(() => api.stop());

    it("scenario 37: tells nothing by the version alone, and once when version and done come together", async (t) => {
      const scene = await stage(t, api);
      await scene.write("kube-apiserver", says("1.13.0"));
      await scene.stack.apply(schedulerWaits);
      await scene.stack.settled();
      assert.equal((await scene.condition("scheduler-waits", "Ready"))?.reason, "OtherVersion");
      await scene.write("kube-apiserver", says("1.14.0", { Progressing: "True" }));
      assert.deepEqual(scene.events, []);
      assert.equal((await scene.condition("scheduler-waits", "Ready"))?.reason, "NotDone");
      await scene.write("kube-apiserver", says("1.14.0"));
      assert.deepEqual(scene.events, [ready]);
      await scene.staysAsItIs();
    });

    it("tells at once of what is met already, and of an operator that goes and comes back (C3, C4)", async (t) => {
      const scene = await stage(t, api);
      await scene.write("kube-apiserver", says("1.14.0"));
      await scene.stack.apply(schedulerWaits);
      await scene.stack.settled();
      assert.deepEqual(scene.events, [ready]);
      await scene.stack.client.delete(board, { name: "kube-apiserver" }, { uid: undefined });
      await scene.stack.settled();
      assert.deepEqual(scene.events, [ready, lost]);
      await scene.write("kube-apiserver", says("1.14.0"));
      assert.deepEqual(scene.events, [ready, lost, ready]);
      await scene.staysAsItIs();
    });

    it("wakes a function of another system that waits", async (t) => {
      const scene = await stage(t, api, { further: [schedulers] });
      await scene.write("kube-apiserver", says("1.13.0"));
      await scene.stack.apply([schedulerWaits, scheduler]);
      await scene.stack.settled();
      assert.deepEqual(await scene.moving(), { moving: false });
      await scene.write("kube-apiserver", says("1.14.0"));
      assert.deepEqual(await scene.moving(), { moving: true });
      await scene.write("kube-apiserver", says("1.14.0", { Degraded: "True" }));
      assert.deepEqual(await scene.moving(), { moving: false });
      await scene.staysAsItIs();
    });

    it("lets a waiting operator go on and stop in time where the host dies after any write", async (t) => {
      const directory = temporaryFolder(t);
      const scene = await stage(t, api, { further: [schedulers], directory });
      const { stack } = scene;
      await scene.write("kube-apiserver", says("1.13.0"));
      await stack.apply([schedulerWaits, scheduler]);
      await stack.settled();
      for (const nth of [1, 2])
        for (const version of ["1.14.0", "1.13.0"]) {
          const { promise: died, resolve: die } = Promise.withResolvers<void>();
          const engineClient = (client: KubeClient): KubeClient => mortalClient(client, nth, die).client;
          await stack.restartEngine({ engineClient });
          await scene.writeOnly("kube-apiserver", says(version));
          await died;
          await stack.restartEngine({ abruptly: true });
          await stack.settled();
          const arrived = version === "1.14.0";
          assert.equal(
            (await scene.condition("scheduler-waits", "Ready"))?.status,
            arrived ? "True" : "False",
          );
          assert.deepEqual(await scene.moving(), { moving: arrived });
          await scene.staysAsItIs();
        }
    });

    it("scenario 35: an intruder's version that its owner takes back in time is not told", async (t) => {
      const scene = await stage(t, api, { settle: "1h" });
      await scene.write("kube-apiserver", says("1.14.0"));
      await scene.stack.apply(schedulerWaits);
      await scene.stack.settled();
      await scene.write("kube-apiserver", says("9.9.9"));
      await scene.write("kube-apiserver", says("1.14.0"));
      assert.deepEqual(scene.events, [ready]);
      assert.equal((await scene.condition("scheduler-waits", "Ready"))?.status, "True");
    });

    it("refuses the dependency that closes a circle, with both names, and takes it once the other is gone (C6)", async (t) => {
      const scene = await stage(t, api);
      await scene.stack.apply(schedulerWaits);
      await scene.stack.settled();
      const back = dependency("apiserver-waits", {
        consumer: "kube-apiserver",
        operator: "scheduler",
        version: "1.14.0",
      });
      await scene.stack.apply(back);
      await scene.stack.settled();
      const refused = await scene.condition("apiserver-waits", "Accepted");
      assert.equal(refused?.status, "False");
      assert.equal(
        refused?.message,
        "Cluster operators kube-apiserver and scheduler would wait for each other: kube-apiserver waits for scheduler waits for kube-apiserver",
      );
      assert.equal((await scene.condition("scheduler-waits", "Accepted"))?.status, "True");
      const kind = resourceOf(ClusterOperatorDependency);
      await scene.stack.client.delete(kind, { name: "scheduler-waits" }, { uid: undefined });
      await scene.stack.settled();
      assert.equal((await scene.condition("apiserver-waits", "Accepted"))?.status, "True");
    });

    it("scenario 38: a wait for a later level of the present payload is refused with both names", async (t) => {
      const scene = await stage(t, api);
      const { client } = scene.stack;
      const kind = resourceOf(ClusterVersion);
      const made = await client.create(
        kind,
        {
          apiVersion: "config.openshift.io/v1",
          kind: "ClusterVersion",
          metadata: { name: "version" },
          spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11" },
        },
        { fieldManager: "test" },
      );
      await scene.stack.apply([
        dependency("later", { consumer: "etcd", operator: "dns", version: "1.1.0" }),
        dependency("beside", { consumer: "etcd", operator: "kube-apiserver", version: "1.1.0" }),
      ]);
      await scene.stack.settled();
      assert.equal((await scene.condition("later", "Accepted"))?.status, "True", "no payload is known yet");
      const desired = { version: "1.1.0", image: "demo.example/release:1.1.0" };
      const status = { desired, observedGeneration: 1, versionHash: "", availableUpdates: null };
      await client.replace(kind, { name: "version" }, { ...made, status } as KubeObject, {
        fieldManager: "test",
        subresource: "status",
      });
      await scene.stack.settled();
      const refused = await scene.condition("later", "Accepted");
      assert.deepEqual(
        [refused?.status, refused?.reason, refused?.message],
        [
          "False",
          "Unsatisfiable",
          "Cluster operator etcd waits for dns, which the payload moves only once etcd has moved: dns comes after etcd",
        ],
      );
      assert.equal((await scene.condition("beside", "Accepted"))?.status, "True");
      assert.deepEqual(scene.events, []);
    });
  });
}
