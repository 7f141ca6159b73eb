import { claimsOf } from "./claims.ts";
import {
  availableFrom,
  isActive,
  isDeleting,
  isReady,
  type Pod,
  type StatefulSet,
  uidOf,
} from "./objects.ts";
import { keepRevision } from "./revisions.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { podOf, suffixOf, templateText } from "./template.ts";

const REVISION_LABEL = "controller-revision-hash";

/** Keeps the set's numbered pods, in order where it asks for that, and its status. Gives the time at which to look again. */
export async function playStatefulSet(
  cluster: SimulatedCluster,
  set: StatefulSet,
): Promise<number | undefined> {
  if (isDeleting(set)) return undefined;
  const update = `${set.metadata.name}-${suffixOf(templateText(set.spec.template), 10)}`;
  await keepRevision(cluster, set, update);
  await step(cluster, set, update);
  return writeStatus(cluster, set, update);
}

/** The next thing to do; in an ordered set one thing at a time. */
async function step(cluster: SimulatedCluster, set: StatefulSet, update: string): Promise<void> {
  const { replicas = 1, ordinals, podManagementPolicy, updateStrategy } = set.spec;
  const first = ordinals?.start ?? 0;
  const ordered = podManagementPolicy !== "Parallel";
  const pods = new Map(cluster.ownedBy(set, "Pod").map((pod) => [ordinalOf(set, pod), pod]));
  const wanted = Array.from({ length: replicas }, (_, index) => first + index);
  for (const ordinal of wanted) {
    const pod = pods.get(ordinal);
    if (pod === undefined) await createPod(cluster, set, ordinal, update);
    else if (!isActive(pod) && !isDeleting(pod)) await cluster.delete("Pod", pod);
    else if (isReady(pod) && !isDeleting(pod)) continue;
    if (ordered) return;
  }
  const condemned = [...pods]
    .filter(([ordinal, pod]) => !wanted.includes(ordinal) && !isDeleting(pod))
    .sort(([a], [b]) => b - a);
  for (const [, pod] of condemned) {
    await cluster.delete("Pod", pod);
    await cluster.tell(
      set,
      "Normal",
      "SuccessfulDelete",
      `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
    );
    if (ordered) return;
  }
  if (updateStrategy?.type === "OnDelete") return;
  const { partition = 0 } = updateStrategy?.rollingUpdate ?? {};
  for (const ordinal of wanted.filter((one) => one >= partition).reverse()) {
    const pod = pods.get(ordinal);
    if (pod === undefined || isDeleting(pod)) return;
    if (pod.metadata.labels?.[REVISION_LABEL] !== update) {
      await cluster.delete("Pod", pod);
      return;
    }
    if (!isReady(pod)) return;
  }
}

async function createPod(
  cluster: SimulatedCluster,
  set: StatefulSet,
  ordinal: number,
  revision: string,
): Promise<void> {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podOf(set, set.spec.template, name, {
    "apps.kubernetes.io/pod-index": String(ordinal),
    "statefulset.kubernetes.io/pod-name": name,
    [REVISION_LABEL]: revision,
  });
  const claims = await claimsOf(cluster, set, ordinal);
  const own = set.spec.template.spec?.volumes ?? [];
  const volumes = [...claims, ...own.filter((one) => !claims.some(({ name: claim }) => claim === one.name))];
  const made = await cluster.create("Pod", {
    ...pod,
    spec: {
      ...(pod.spec as object),
      ...(volumes.length === 0 ? {} : { volumes }),
      hostname: name,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
    },
  });
  if (made !== undefined)
    await cluster.tell(
      set,
      "Normal",
      "SuccessfulCreate",
      `create Pod ${name} in StatefulSet ${set.metadata.name} successful`,
    );
}

async function writeStatus(
  cluster: SimulatedCluster,
  set: StatefulSet,
  update: string,
): Promise<number | undefined> {
  const pods = cluster.ownedBy(set, "Pod").filter(isActive);
  const now = cluster.clock.now();
  const updated = pods.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === update);
  const times = pods
    .map((pod) => availableFrom(pod, set.spec.minReadySeconds))
    .filter((time) => time !== undefined);
  const live = cluster.get("StatefulSet", uidOf(set)) ?? set;
  const done =
    updated.length === pods.length && updated.length === (set.spec.replicas ?? 1) && updated.every(isReady);
  const current = done ? update : (live.status?.currentRevision ?? update);
  await cluster.setStatus("StatefulSet", live, {
    ...live.status,
    replicas: pods.length,
    readyReplicas: pods.filter(isReady).length,
    availableReplicas: times.filter((time) => time <= now).length,
    currentReplicas: pods.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === current).length,
    updatedReplicas: updated.length,
    currentRevision: current,
    updateRevision: update,
    observedGeneration: set.metadata.generation,
    collisionCount: live.status?.collisionCount ?? 0,
  });
  return times.filter((time) => time > now).sort((a, b) => a - b)[0];
}

const ordinalOf = (set: StatefulSet, { metadata }: Pod): number =>
  Number(metadata.name.slice(set.metadata.name.length + 1));
