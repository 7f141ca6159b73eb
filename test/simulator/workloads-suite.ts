import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { startSimulator } from "../../infra/simulator/index.ts";
import {
  type Deployment,
  type ObjectOf,
  type Pod,
  RESOURCES,
  type SimulatedKind,
  type StatefulSet,
} from "../../infra/simulator/objects.ts";
import type { Simulator } from "../../infra/simulator/start.ts";
import type { ApiServer } from "../../infra/testing/api-servers.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import {
  assertKubectlSays,
  condition,
  create,
  deploymentSpec,
  hasKubectl,
  jobSpec,
  rolledOut,
  said,
  serviceAccounts,
  stateOf,
  type World,
  waiting,
  withoutZeroes,
  writes,
} from "./workload-views.ts";

const namespace = "default";
const by = { fieldManager: "test" };

/** A change of the template alone. */
const edition = (of: string | null) => ({
  spec: { template: { metadata: { annotations: { edition: of } } } },
});

/** The same workloads, once played whole and once by the real controllers over simulated pods, must come out the same. */
export function workloads({ name: world, server, controllerManager, only }: World): void {
  describe(`workloads, ${world}`, {
    skip: (controllerManager ? skipWithoutControlPlane({ controllerManager }) : server.skip) !== false,
  }, () => {
    let plane: ApiServer;
    let client: KubeClient;
    /** Its own client, so that its requests can be counted. */
    let hands: KubeClient;
    let simulator: Simulator;
    const start = (): Promise<Simulator> =>
      startSimulator({ client: hands, delayMilliseconds: 100, ...(only === undefined ? {} : { only }) });
    beforeAll(async () => {
      plane = await server.start({ controllerManager });
      client = createKubeClient({ connection: plane.connection });
      hands = createKubeClient({ connection: plane.connection });
      if (controllerManager)
        await eventually(
          "the default account",
          async () => (await client.get(serviceAccounts, { namespace, name: "default" })) !== undefined,
        );
      simulator = await start();
    });
    afterAll(async () => {
      await simulator?.stop();
      client?.close();
      hands?.close();
      await plane?.stop();
    });

    const get = async <K extends SimulatedKind>(kind: K, name: string) =>
      (await client.get(RESOURCES[kind], { namespace, name })) as ObjectOf<K> | undefined;
    const children = async <K extends SimulatedKind>(kind: K, owner: KubeObject) =>
      (await client.list(RESOURCES[kind], { namespace })).items.filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid),
      ) as ObjectOf<K>[];
    const make = <K extends SimulatedKind>(
      kind: K,
      name: string,
      spec: object,
      annotations: Record<string, string> = {},
    ) => create(client, kind, { metadata: { name, namespace, annotations }, spec });
    const change = (kind: SimulatedKind, name: string, body: object) =>
      client.patch(RESOURCES[kind], { namespace, name }, "merge", body, by);
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
    const available = (name: string) => until("Deployment", name, "is rolled out", rolledOut);
    const kubectlSays = (words: readonly string[], what: RegExp): Promise<void> =>
      assertKubectlSays(plane.kubeconfigFile, words, what);
    test("a ReplicaSet carries why its Deployment was changed", async () => {
      const cause = {
        "kubernetes.io/change-cause": "because",
        "kubectl.kubernetes.io/last-applied-configuration": "{}",
      };
      await make("Deployment", "told", deploymentSpec("told", { replicas: 1 }), cause);
      const [set] = await children("ReplicaSet", await available("told"));
      const carried = Object.keys(set?.metadata.annotations ?? {}).filter((name) => name in cause);
      assert.deepEqual(carried, ["kubernetes.io/change-cause"]);
    });
    test("a Deployment becomes available through a ReplicaSet and its pods", async () => {
      await make("Deployment", "web", deploymentSpec("web", { replicas: 2 }));
      const deployment = await available("web");
      const { conditions: _, ...counts } = deployment.status ?? {};
      assert.deepEqual(withoutZeroes(counts), {
        observedGeneration: 1,
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
      });
      assert.equal(deployment.metadata.annotations?.["deployment.kubernetes.io/revision"], "1");
      const [set, ...others] = await children("ReplicaSet", deployment);
      assert.ok(set !== undefined && others.length === 0);
      assert.deepEqual(said(deployment), [
        ["Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability."],
        [
          "Progressing",
          "True",
          "NewReplicaSetAvailable",
          `ReplicaSet "${set.metadata.name}" has successfully progressed.`,
        ],
      ]);
      const hash = set.metadata.labels?.["pod-template-hash"];
      assert.equal(set.metadata.name, `web-${hash}`);
      assert.equal(set.spec.selector.matchLabels?.["pod-template-hash"], hash);
      assert.deepEqual(
        [
          set.metadata.annotations?.["deployment.kubernetes.io/revision"],
          set.metadata.annotations?.["deployment.kubernetes.io/desired-replicas"],
          set.metadata.annotations?.["deployment.kubernetes.io/max-replicas"],
        ],
        ["1", "2", "3"],
      );
      assert.deepEqual(withoutZeroes(set.status), {
        replicas: 2,
        fullyLabeledReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        observedGeneration: 1,
      });
      const pods = await children("Pod", set);
      assert.equal(pods.length, 2);
      for (const pod of pods) {
        assert.match(pod.metadata.name, new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
        assert.equal(pod.metadata.labels?.["pod-template-hash"], hash);
        assert.deepEqual(stateOf(pod), ["Running", true]);
      }
      await kubectlSays(["rollout", "status", "deployment/web", "--timeout=10s"], /successfully rolled out/);
      await kubectlSays(["get", "pods", "-l", "app=web"], /1\/1\s+Running\s+0/);
      await kubectlSays(["describe", "deployment", "web"], /ScalingReplicaSet/);
    });

    test("a changed template rolls out over a new ReplicaSet, and going back brings the old one back", async () => {
      const deployment = await make("Deployment", "roll", deploymentSpec("roll", { replicas: 3 }));
      await available("roll");
      await change("Deployment", "roll", edition("two"));
      const second = await available("roll");
      assert.equal(second.metadata.annotations?.["deployment.kubernetes.io/revision"], "2");
      const sets = await eventually("the old pods are gone", async () => {
        const found = await children("ReplicaSet", deployment);
        return found.every(({ spec, status }) => spec.replicas === status?.replicas) && found;
      });
      assert.deepEqual(sets.map(({ spec }) => spec.replicas).sort(), [0, 3]);
      await change("Deployment", "roll", edition(null));
      await eventually(
        "revision 3",
        async () =>
          (await get("Deployment", "roll"))?.metadata.annotations?.["deployment.kubernetes.io/revision"] ===
          "3",
      );
      const third = await available("roll");
      assert.equal(third.spec.template.metadata?.annotations?.edition, undefined);
      assert.equal((await children("ReplicaSet", deployment)).length, 2);
    });

    test("pods that hang keep a Deployment unavailable until the command is taken back", async () => {
      simulator.set({ kind: "Deployment", namespace, name: "stuck" }, "hang");
      await make("Deployment", "stuck", deploymentSpec("stuck", { progressDeadlineSeconds: 2 }));
      const late = await until(
        "Deployment",
        "stuck",
        "misses its deadline",
        (object) => condition(object, "Progressing")?.status === "False",
      );
      const [set] = await children("ReplicaSet", late);
      assert.deepEqual(said(late), [
        [
          "Available",
          "False",
          "MinimumReplicasUnavailable",
          "Deployment does not have minimum availability.",
        ],
        [
          "Progressing",
          "False",
          "ProgressDeadlineExceeded",
          `ReplicaSet "${set?.metadata.name}" has timed out progressing.`,
        ],
      ]);
      assert.equal(late.status?.unavailableReplicas, 1);
      simulator.set({ kind: "Deployment", namespace, name: "stuck" }, undefined);
      await available("stuck");
    });

    test("annotations decide: on the template for its pods, on the workload for all of them, with the message", async () => {
      await make(
        "Deployment",
        "broken",
        deploymentSpec(
          "broken",
          {},
          { "simulator.reveille.dev/outcome": "fail", "simulator.reveille.dev/message": "no such image" },
        ),
      );
      const pod = await podOf("broken", (one) => waiting(one) === "ImagePullBackOff");
      assert.equal(pod.status?.containerStatuses?.[0]?.state?.waiting?.message, "no such image");
      await make("Deployment", "crashing", deploymentSpec("crashing"), {
        "simulator.reveille.dev/outcome": "crash",
      });
      const crashing = await podOf("crashing", (one) => waiting(one) === "CrashLoopBackOff");
      assert.equal(crashing.status?.containerStatuses?.[0]?.restartCount, 1);
      await change("Deployment", "crashing", {
        metadata: { annotations: { "simulator.reveille.dev/outcome": null } },
      });
      await available("crashing");
    });

    test("a paused Deployment starts no rollout", async () => {
      const deployment = await make("Deployment", "paused", deploymentSpec("paused"));
      await available("paused");
      await change("Deployment", "paused", {
        spec: { paused: true, template: { metadata: { annotations: { edition: "two" } } } },
      });
      const paused = await until(
        "Deployment",
        "paused",
        "is paused",
        ({ status, metadata }) => status?.observedGeneration === metadata.generation,
      );
      assert.equal((await children("ReplicaSet", deployment)).length, 1);
      assert.equal(condition(paused, "Progressing")?.reason, "DeploymentPaused");
      await change("Deployment", "paused", { spec: { paused: null } });
      await available("paused");
      assert.equal((await children("ReplicaSet", deployment)).length, 2);
    });

    test("a pod that is deleted is replaced, and a Deployment scales", async () => {
      const deployment = await make("Deployment", "scaled", deploymentSpec("scaled"));
      await available("scaled");
      const [set] = await children("ReplicaSet", deployment);
      assert.ok(set);
      const [pod] = await children("Pod", set);
      assert.ok(pod);
      await client.delete(RESOURCES.Pod, { namespace, name: pod.metadata.name }, { uid: pod.metadata.uid });
      await eventually("another pod", async () =>
        (await children("Pod", set)).some((one) => one.metadata.uid !== pod.metadata.uid && stateOf(one)[1]),
      );
      for (const replicas of [3, 0, 1]) {
        await change("Deployment", "scaled", { spec: { replicas } });
        await until(
          "Deployment",
          "scaled",
          `has ${replicas} pods`,
          ({ status, metadata }) =>
            status?.observedGeneration === metadata.generation &&
            (status?.availableReplicas ?? 0) === replicas &&
            (status?.replicas ?? 0) === replicas,
        );
        assert.equal((await children("Pod", set)).length, replicas);
      }
      assert.equal((await get("ReplicaSet", set.metadata.name))?.metadata.uid, set.metadata.uid);
    });

    test("Recreate ends the old pods before the new ones begin", async () => {
      const deployment = await make(
        "Deployment",
        "again",
        deploymentSpec("again", { strategy: { type: "Recreate" } }),
      );
      await available("again");
      const selected = { namespace, labelSelector: "app=again" };
      const { metadata } = await client.list(RESOURCES.Pod, selected);
      const seen: string[] = [];
      const ending = new AbortController();
      const watch = client.watch(RESOURCES.Pod, {
        ...selected,
        resourceVersion: metadata.resourceVersion,
        signal: ending.signal,
        onEvent: ({ type }) => {
          if (type !== "MODIFIED") seen.push(type);
        },
      });
      await change("Deployment", "again", edition("two"));
      await eventually("both pods were heard of", () => seen.length === 2);
      await available("again");
      assert.deepEqual(seen, ["DELETED", "ADDED"]);
      assert.equal((await children("ReplicaSet", deployment)).length, 2);
      ending.abort();
      await watch;
    });

    test("a StatefulSet counts its pods up, down, and over to a new template", async () => {
      const spec = { ...deploymentSpec("ordinal", { replicas: 2 }), serviceName: "ordinal" };
      const set = await make("StatefulSet", "ordinal", spec);
      const settled = (revision: string | undefined, replicas: number) => (object: StatefulSet) =>
        object.status?.observedGeneration === object.metadata.generation &&
        (object.status?.readyReplicas ?? 0) === replicas &&
        object.status?.replicas === replicas &&
        object.status.currentRevision === object.status.updateRevision &&
        object.status.currentRevision !== revision;
      const first = await until("StatefulSet", "ordinal", "is ready", settled(undefined, 2));
      const { currentRevision, updateRevision, ...counts } = first.status ?? {};
      assert.deepEqual(withoutZeroes(counts), {
        observedGeneration: 1,
        replicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        currentReplicas: 2,
        updatedReplicas: 2,
      });
      const names = async () => (await children("Pod", set)).map(({ metadata }) => metadata.name).sort();
      assert.deepEqual(await names(), ["ordinal-0", "ordinal-1"]);
      await change("StatefulSet", "ordinal", edition("two"));
      await until("StatefulSet", "ordinal", "has the new template", settled(currentRevision, 2));
      for (const pod of await children("Pod", set)) assert.equal(pod.metadata.annotations?.edition, "two");
      await kubectlSays(["rollout", "status", "statefulset/ordinal", "--timeout=10s"], /complete/);
      await kubectlSays(["rollout", "history", "statefulset/ordinal"], /^1 .*\n2 /m);
      await kubectlSays(["rollout", "undo", "statefulset/ordinal"], /rolled back/);
      // Who has no kubectl goes back by hand.
      if (!hasKubectl) await change("StatefulSet", "ordinal", edition(null));
      await eventually("the first template is back", async () =>
        (await children("Pod", set)).every(({ metadata }) => metadata.annotations?.edition === undefined),
      );
      await eventually("it is the newest revision", () =>
        kubectlSays(["rollout", "history", "statefulset/ordinal"], /^2 .*\n3 /m).then(
          () => true,
          () => false,
        ),
      );
      await change("StatefulSet", "ordinal", { spec: { replicas: 1 } });
      await eventually("one pod is left", async () => (await names()).join() === "ordinal-0");
    });

    test("a StatefulSet makes a claim for each pod and volume, which stays when the pod goes", async () => {
      const { template, ...rest } = deploymentSpec("claiming");
      await make("StatefulSet", "claiming", {
        ...rest,
        template,
        serviceName: "claiming",
        volumeClaimTemplates: [
          {
            metadata: { name: "files" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      });
      await until("StatefulSet", "claiming", "is ready", (set) => set.status?.readyReplicas === 1);
      await kubectlSays(["get", "pvc", "-o", "name"], /files-claiming-0/);
      await kubectlSays(
        ["get", "pod", "claiming-0", "-o", "jsonpath={.spec.volumes[?(@.name=='files')]}"],
        /"claimName":"files-claiming-0"/,
      );
      await change("StatefulSet", "claiming", { spec: { replicas: 0 } });
      await until("StatefulSet", "claiming", "has no pods", (set) => (set.status?.replicas ?? 0) === 0);
      await kubectlSays(["get", "pvc", "-o", "name"], /files-claiming-0/);
    });

    test("Jobs complete, and fail after their last attempt", async () => {
      await make("Job", "good", jobSpec({ completions: 2 }));
      const good = await until(
        "Job",
        "good",
        "is complete",
        (job) => condition(job, "Complete")?.status === "True",
      );
      assert.equal(good.status?.succeeded, 2);
      assert.ok(good.status?.completionTime);
      assert.deepEqual(
        (await children("Pod", good)).map(({ status }) => status?.phase),
        ["Succeeded", "Succeeded"],
      );
      await make("Job", "bad", jobSpec({ backoffLimit: 0 }), {
        "simulator.reveille.dev/outcome": "fail",
        "simulator.reveille.dev/message": "wrong password",
      });
      const bad = await until(
        "Job",
        "bad",
        "has failed",
        (job) => condition(job, "Failed")?.status === "True",
      );
      assert.equal(condition(bad, "Failed")?.reason, "BackoffLimitExceeded");
      assert.equal(condition(bad, "Failed")?.message, "Job has reached the specified backoff limit");
      assert.equal(bad.status?.failed, 1);
      await make("Job", "suspended", jobSpec({ suspend: true }));
      const suspended = await until(
        "Job",
        "suspended",
        "says so",
        (job) => condition(job, "Suspended")?.status === "True",
      );
      assert.deepEqual(await children("Pod", suspended), []);
      await change("Job", "suspended", { spec: { suspend: false } });
      await until("Job", "suspended", "is complete", (job) => condition(job, "Complete")?.status === "True");
    });

    test("a simulator that starts again goes on from what is true, and writes nothing at rest", async () => {
      const settle = async () => {
        await eventually("all is at rest", async () => {
          const count = writes(hands);
          await simulator.idle();
          const { items } = await client.list(RESOURCES.Deployment, { namespace });
          return (
            (items as Deployment[]).filter(({ metadata }) => metadata.name !== "broken").every(rolledOut) &&
            writes(hands) === count
          );
        });
      };
      await simulator.stop();
      await make("Deployment", "later", deploymentSpec("later"));
      simulator = await start();
      await settle();
      await available("later");
      await simulator.stop();
      const written = writes(hands);
      simulator = await start();
      await simulator.idle();
      assert.equal(writes(hands), written);
    });

    const podOf = (app: string, holds: (pod: Pod) => boolean) =>
      eventually(`a pod of ${app}`, async () =>
        ((await client.list(RESOURCES.Pod, { namespace, labelSelector: `app=${app}` })).items as Pod[]).find(
          holds,
        ),
      );
  });
}
