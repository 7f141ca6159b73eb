import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { OUTCOME, type Simulator, startSimulator } from "../../infra/simulator/index.ts";
import { type ObjectOf, RESOURCES, type SimulatedKind } from "../../infra/simulator/objects.ts";
import type { ApiServer } from "../../infra/testing/api-servers.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import {
  assertKubectlSays,
  create,
  deploymentSpec,
  jobSpec,
  serviceAccounts,
  type World,
  withoutZeroes,
  writes,
} from "./workload-views.ts";

const namespace = "default";
const by = { fieldManager: "test" };
const CLAIM = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const PROTECTION = "kubernetes.io/pvc-protection";

/** The parts of a cluster that nodes, storage and a cloud are, on any API server, with or without real controllers of workloads. */
export function infrastructure({ name: world, server, controllerManager, only }: World): void {
  describe(`nodes, storage and load balancers, ${world}`, {
    skip: (controllerManager ? skipWithoutControlPlane({ controllerManager }) : server.skip) !== false,
  }, () => {
    let plane: ApiServer;
    let client: KubeClient;
    /** Its own client, so that its requests can be counted. */
    let hands: KubeClient;
    let simulator: Simulator;
    beforeAll(async () => {
      plane = await server.start({ controllerManager });
      client = createKubeClient({ connection: plane.connection });
      hands = createKubeClient({ connection: plane.connection });
      if (controllerManager)
        await eventually(
          "the default account",
          async () => (await client.get(serviceAccounts, { namespace, name: "default" })) !== undefined,
        );
      simulator = await startSimulator({
        client: hands,
        delayMilliseconds: 100,
        ...(only === undefined ? {} : { only }),
      });
    });
    afterAll(async () => {
      await simulator?.stop();
      client?.close();
      hands?.close();
      await plane?.stop();
    });

    const make = <K extends SimulatedKind>(
      kind: K,
      name: string,
      spec: object,
      metadata: Pick<KubeObject["metadata"], "annotations" | "finalizers"> = {},
    ) => create(client, kind, { metadata: { name, namespace, ...metadata }, spec });
    const get = async <K extends SimulatedKind>(kind: K, name: string) =>
      (await client.get(RESOURCES[kind], { namespace, name })) as ObjectOf<K> | undefined;
    const until = <K extends SimulatedKind>(
      kind: K,
      name: string,
      what: string,
      holds: (object: ObjectOf<K>) => boolean,
    ) =>
      eventually(`${kind} ${name} ${what}`, async () => {
        const object = await get(kind, name);
        return object !== undefined && holds(object) ? object : undefined;
      });
    const change = (kind: SimulatedKind, name: string, body: object) =>
      client.patch(RESOURCES[kind], { namespace, name }, "merge", body, by);
    const podsOf = async (app: string) =>
      (await client.list(RESOURCES.Pod, { namespace, labelSelector: `app=${app}` })).items;

    test("a DaemonSet has a pod on the one node, and a new one for a new template", async () => {
      await make("DaemonSet", "agent", deploymentSpec("agent"));
      const set = await until(
        "DaemonSet",
        "agent",
        "is available",
        ({ status }) => status?.numberAvailable === 1,
      );
      const counts = {
        currentNumberScheduled: 1,
        desiredNumberScheduled: 1,
        numberAvailable: 1,
        numberReady: 1,
        updatedNumberScheduled: 1,
      };
      assert.deepEqual(withoutZeroes(set.status), { ...counts, observedGeneration: 1 });
      const [before, ...more] = await podsOf("agent");
      assert.deepEqual(more, []);
      assert.deepEqual(
        before?.metadata.ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller]),
        [["DaemonSet", "agent", true]],
      );
      await assertKubectlSays(
        plane.kubeconfigFile,
        ["rollout", "status", "daemonset/agent", "--timeout=20s"],
        /successfully rolled out/,
      );
      await change("DaemonSet", "agent", {
        spec: { template: { metadata: { annotations: { version: "2" } } } },
      });
      const renewed = await until(
        "DaemonSet",
        "agent",
        "is rolled out",
        ({ status }) => status?.observedGeneration === 2 && status.numberAvailable === 1,
      );
      assert.deepEqual(withoutZeroes(renewed.status), { ...counts, observedGeneration: 2 });
      const [after, ...others] = await podsOf("agent");
      assert.deepEqual(others, []);
      assert.notEqual(after?.metadata.uid, before?.metadata.uid);
    });

    test("a DaemonSet whose pod does not start says how many are missing", async () => {
      await make("DaemonSet", "broken", deploymentSpec("broken"), { annotations: { [OUTCOME]: "fail" } });
      const { status } = await until(
        "DaemonSet",
        "broken",
        "says so",
        ({ status }) => status?.updatedNumberScheduled === 1,
      );
      assert.deepEqual([status?.numberReady, status?.numberUnavailable], [0, 1]);
      await change("DaemonSet", "broken", { metadata: { annotations: { [OUTCOME]: null } } });
      await until(
        "DaemonSet",
        "broken",
        "is mended",
        ({ status: { numberReady } = {} as never }) => numberReady === 1,
      );
    });

    test("an OnDelete DaemonSet keeps its pod until somebody deletes it", async () => {
      await make("DaemonSet", "slow", { ...deploymentSpec("slow"), updateStrategy: { type: "OnDelete" } });
      await until("DaemonSet", "slow", "is available", ({ status }) => status?.numberAvailable === 1);
      const [before] = await podsOf("slow");
      await change("DaemonSet", "slow", {
        spec: { template: { metadata: { annotations: { version: "2" } } } },
      });
      const { status } = await until(
        "DaemonSet",
        "slow",
        "is seen",
        ({ status: seen }) => seen?.observedGeneration === 2,
      );
      assert.deepEqual([status?.updatedNumberScheduled ?? 0, status?.numberReady], [0, 1]);
      await client.delete(
        RESOURCES.Pod,
        { namespace, name: before?.metadata.name ?? "" },
        { uid: undefined },
      );
      await until(
        "DaemonSet",
        "slow",
        "is new",
        ({ status: { updatedNumberScheduled, numberReady } = {} as never }) =>
          updatedNumberScheduled === 1 && numberReady === 1,
      );
    });

    test("a claim is bound to what it asks for, and one that hangs stays pending", async () => {
      await make("PersistentVolumeClaim", "data", CLAIM);
      await make("PersistentVolumeClaim", "stuck", CLAIM, { annotations: { [OUTCOME]: "hang" } });
      const { status } = await until(
        "PersistentVolumeClaim",
        "data",
        "is bound",
        (it) => it.status?.phase === "Bound",
      );
      assert.deepEqual(status, {
        phase: "Bound",
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
      });
      await simulator.idle();
      assert.equal((await get("PersistentVolumeClaim", "stuck"))?.status?.phase, "Pending");
      await change("PersistentVolumeClaim", "stuck", { metadata: { annotations: { [OUTCOME]: null } } });
      await until("PersistentVolumeClaim", "stuck", "is bound", (it) => it.status?.phase === "Bound");
    });

    test("the claims of a StatefulSet are bound", async () => {
      await make("StatefulSet", "db", {
        ...deploymentSpec("db", { replicas: 2, serviceName: "db" }),
        volumeClaimTemplates: [{ metadata: { name: "data" }, spec: CLAIM }],
      });
      for (const name of ["data-db-0", "data-db-1"])
        await until("PersistentVolumeClaim", name, "is bound", ({ status }) => status?.phase === "Bound");
    });

    test("a claim that is deleted stays while a pod uses it, and no longer", async () => {
      const protectedBy = { finalizers: [PROTECTION] };
      await make("PersistentVolumeClaim", "used", CLAIM, protectedBy);
      await make("Pod", "user", {
        containers: [{ name: "main", image: "example.org/app:1" }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "used" } }],
      });
      await until("Pod", "user", "runs", ({ status }) => status?.phase === "Running");
      await client.delete(RESOURCES.PersistentVolumeClaim, { namespace, name: "used" }, { uid: undefined });
      await simulator.idle();
      const kept = await get("PersistentVolumeClaim", "used");
      assert.deepEqual(kept?.metadata.finalizers, [PROTECTION]);
      await client.delete(RESOURCES.Pod, { namespace, name: "user" }, { uid: undefined });
      await eventually("it is gone", async () => (await get("PersistentVolumeClaim", "used")) === undefined);

      await make("PersistentVolumeClaim", "shared", CLAIM, { finalizers: [PROTECTION, "example.org/kept"] });
      await client.delete(RESOURCES.PersistentVolumeClaim, { namespace, name: "shared" }, { uid: undefined });
      const left = await until(
        "PersistentVolumeClaim",
        "shared",
        "has lost its protection",
        ({ metadata: { finalizers = [] } }) => finalizers.length === 1,
      );
      assert.deepEqual(left.metadata.finalizers, ["example.org/kept"]);
      await change("PersistentVolumeClaim", "shared", { metadata: { finalizers: null } });
    });

    test("a claim that only a Job used which has ended may go", async () => {
      await make("PersistentVolumeClaim", "scratch", CLAIM, { finalizers: [PROTECTION] });
      const job = jobSpec({});
      await make("Job", "once", {
        template: {
          spec: {
            ...job.template.spec,
            volumes: [{ name: "data", persistentVolumeClaim: { claimName: "scratch" } }],
          },
        },
      });
      await until("Job", "once", "has ended", ({ status }) => status?.succeeded === 1);
      await client.delete(
        RESOURCES.PersistentVolumeClaim,
        { namespace, name: "scratch" },
        { uid: undefined },
      );
      await eventually(
        "it is gone",
        async () => (await get("PersistentVolumeClaim", "scratch")) === undefined,
      );
    });

    test("a load balancer has an address for as long as it is one", async () => {
      const ports = [{ port: 80 }];
      await make("Service", "plain", { ports });
      await make("Service", "others", { type: "LoadBalancer", loadBalancerClass: "example.org/own", ports });
      await make("Service", "front", { type: "LoadBalancer", ports });
      const { status } = await until(
        "Service",
        "front",
        "has an address",
        (it) => it.status?.loadBalancer?.ingress?.length === 1,
      );
      const [ingress] = status?.loadBalancer?.ingress ?? [];
      assert.match(ingress?.ip ?? "", /^192\.0\.2\.\d+$/);
      await assertKubectlSays(
        plane.kubeconfigFile,
        ["get", "service", "front"],
        /LoadBalancer.*192\.0\.2\.\d+/,
      );
      await simulator.idle();
      for (const name of ["plain", "others"])
        assert.deepEqual((await get("Service", name))?.status?.loadBalancer, {}, name);

      await change("Service", "front", { spec: { type: "ClusterIP" } });
      await until(
        "Service",
        "front",
        "has none",
        (it) => (it.status?.loadBalancer?.ingress ?? []).length === 0,
      );
    });

    test("nothing is written while nothing changes", async () => {
      await simulator.idle();
      const before = writes(hands);
      await change("Service", "plain", { metadata: { labels: { seen: "yes" } } });
      await change("PersistentVolumeClaim", "data", { metadata: { labels: { seen: "yes" } } });
      await change("DaemonSet", "agent", { metadata: { labels: { seen: "yes" } } });
      await make("Service", "later", { type: "LoadBalancer", ports: [{ port: 80 }] });
      await until("Service", "later", "is played", (it) => it.status?.loadBalancer?.ingress?.length === 1);
      await simulator.idle();
      assert.equal(writes(hands) - before, 1);
    });
  });
}
