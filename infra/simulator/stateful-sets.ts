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
import { podOf, suffixOf, templateText } from "./template.ts";
import type { World } from "./world.ts";

const REVISION_LABEL = "controller-revision-hash";

/** Keeps the set's numbered pods, in order where it asks for that, and its status. Gives the time at which to look again. */
export async function playStatefulSet(world: World, set: StatefulSet): Promise<number | undefined> {
  if (isDeleting(set)) return undefined;
  const update = `${set.metadata.name}-${suffixOf(templateText(set.spec.template), 10)}`;
  await keepRevision(world, set, update);
  await step(world, set, update);
  return writeStatus(world, set, update);
}

/** The next thing to do; in an ordered set one thing at a time. */
async function step(world: World, set: StatefulSet, update: string): Promise<void> {
  const { replicas = 1, ordinals, podManagementPolicy, updateStrategy } = set.spec;
  const first = ordinals?.start ?? 0;
  const ordered = podManagementPolicy !== "Parallel";
  const pods = new Map(world.ownedBy(set, "Pod").map((pod) => [ordinalOf(set, pod), pod]));
  const wanted = Array.from({ length: replicas }, (_, index) => first + index);
  for (const ordinal of wanted) {
    const pod = pods.get(ordinal);
    if (pod === undefined) await createPod(world, set, ordinal, update);
    else if (!isActive(pod) && !isDeleting(pod)) await world.delete("Pod", pod);
    else if (isReady(pod) && !isDeleting(pod)) continue;
    if (ordered) return;
  }
  const condemned = [...pods]
    .filter(([ordinal, pod]) => !wanted.includes(ordinal) && !isDeleting(pod))
    .sort(([a], [b]) => b - a);
  for (const [, pod] of condemned) {
    await world.delete("Pod", pod);
    await world.tell(
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
      await world.delete("Pod", pod);
      return;
    }
    if (!isReady(pod)) return;
  }
}

async function createPod(world: World, set: StatefulSet, ordinal: number, revision: string): Promise<void> {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podOf(set, set.spec.template, name, {
    "apps.kubernetes.io/pod-index": String(ordinal),
    "statefulset.kubernetes.io/pod-name": name,
    [REVISION_LABEL]: revision,
  });
  const claims = await claimsOf(world, set, ordinal);
  const own = set.spec.template.spec?.volumes ?? [];
  const volumes = [...claims, ...own.filter((one) => !claims.some(({ name: claim }) => claim === one.name))];
  const made = await world.create("Pod", {
    ...pod,
    spec: {
      ...(pod.spec as object),
      ...(volumes.length === 0 ? {} : { volumes }),
      hostname: name,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
    },
  });
  if (made !== undefined)
    await world.tell(
      set,
      "Normal",
      "SuccessfulCreate",
      `create Pod ${name} in StatefulSet ${set.metadata.name} successful`,
    );
}

async function writeStatus(world: World, set: StatefulSet, update: string): Promise<number | undefined> {
  const pods = world.ownedBy(set, "Pod").filter(isActive);
  const now = world.clock.now();
  const updated = pods.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === update);
  const times = pods
    .map((pod) => availableFrom(pod, set.spec.minReadySeconds))
    .filter((time) => time !== undefined);
  const live = world.get("StatefulSet", uidOf(set)) ?? set;
  const done =
    updated.length === pods.length && updated.length === (set.spec.replicas ?? 1) && updated.every(isReady);
  const current = done ? update : (live.status?.currentRevision ?? update);
  await world.setStatus("StatefulSet", live, {
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
