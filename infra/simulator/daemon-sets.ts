import { availableFrom, type DaemonSet, isActive, isDeleting, isReady, uidOf } from "./objects.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { podOf, suffixOf, templateText } from "./template.ts";

const REVISION_LABEL = "controller-revision-hash";

/** Keeps the pod of a DaemonSet, as on a cluster of one node, and its status. Gives the time at which to look again. */
export async function playDaemonSet(cluster: SimulatedCluster, set: DaemonSet): Promise<number | undefined> {
  if (isDeleting(set)) return undefined;
  const revision = suffixOf(templateText(set.spec.template), 10);
  await keepPod(cluster, set, revision);
  const pods = cluster.ownedBy(set, "Pod").filter(isActive).slice(0, 1);
  const now = cluster.clock.now();
  const times = pods
    .map((pod) => availableFrom(pod, set.spec.minReadySeconds))
    .filter((time) => time !== undefined);
  const available = times.filter((time) => time <= now).length;
  const live = cluster.get("DaemonSet", uidOf(set)) ?? set;
  await cluster.setStatus("DaemonSet", live, {
    ...live.status,
    currentNumberScheduled: pods.length,
    desiredNumberScheduled: 1,
    numberAvailable: available,
    numberMisscheduled: 0,
    numberReady: pods.filter(isReady).length,
    numberUnavailable: 1 - available,
    observedGeneration: set.metadata.generation,
    updatedNumberScheduled: pods.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === revision)
      .length,
  });
  return times.find((time) => time > now);
}

/** One pod of the present template, unless the set leaves older ones alone (`OnDelete`). */
async function keepPod(cluster: SimulatedCluster, set: DaemonSet, revision: string): Promise<void> {
  const [kept, ...tooMany] = cluster.ownedBy(set, "Pod").filter((pod) => !isDeleting(pod));
  const isOld = kept !== undefined && kept.metadata.labels?.[REVISION_LABEL] !== revision;
  const replaced = isOld && set.spec.updateStrategy?.type !== "OnDelete";
  const leaving = kept !== undefined && (replaced || !isActive(kept)) ? [kept, ...tooMany] : tooMany;
  for (const pod of leaving) {
    await cluster.delete("Pod", pod);
    await cluster.tell(set, "Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  }
  if (kept !== undefined && !leaving.includes(kept)) return;
  const name = `${set.metadata.name}-${cluster.suffix(set)}`;
  const made = await cluster.create(
    "Pod",
    podOf(set, set.spec.template, name, { [REVISION_LABEL]: revision }),
  );
  if (made !== undefined) await cluster.tell(set, "Normal", "SuccessfulCreate", `Created pod: ${name}`);
}
