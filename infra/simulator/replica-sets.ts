import { KubeError } from "../../shared/kube/errors.ts";
import { withCondition } from "./conditions.ts";
import { availableFrom, isActive, isDeleting, isReady, type Pod, type ReplicaSet, uidOf } from "./objects.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { podOf } from "./template.ts";

/** Keeps as many pods as the ReplicaSet wants, and its status. Gives the time at which to look again. */
export async function playReplicaSet(
  cluster: SimulatedCluster,
  set: ReplicaSet,
): Promise<number | undefined> {
  if (isDeleting(set)) return undefined;
  let failure: unknown;
  try {
    await scale(cluster, set);
  } catch (error) {
    failure = error;
  }
  const pods = cluster.ownedBy(set, "Pod").filter(isActive);
  const now = cluster.clock.now();
  const times = pods
    .map((pod) => availableFrom(pod, set.spec.minReadySeconds))
    .filter((time) => time !== undefined);
  const kept = (set.status?.conditions ?? []).filter(({ type }) => type !== "ReplicaFailure");
  const refusal =
    failure instanceof KubeError && (failure.kind === "forbidden" || failure.kind === "invalid")
      ? refusalOf(failure, set)
      : undefined;
  const conditions =
    refusal !== undefined
      ? withCondition(
          set.status?.conditions ?? [],
          { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: refusal },
          now,
        )
      : kept;
  const written = await cluster.setStatus("ReplicaSet", cluster.get("ReplicaSet", uidOf(set)) ?? set, {
    ...set.status,
    replicas: pods.length,
    fullyLabeledReplicas: pods.length,
    readyReplicas: pods.filter(isReady).length,
    availableReplicas: times.filter((time) => time <= now).length,
    observedGeneration: set.metadata.generation,
    conditions,
  });
  if (refusal !== undefined && written) await cluster.tell(set, "Warning", "FailedCreate", refusal);
  if (failure !== undefined && !(failure instanceof KubeError && failure.kind === "terminating"))
    throw failure;
  return times.filter((time) => time > now).sort((a, b) => a - b)[0];
}

/** The server's words, of no one pod: a message that names another pod at each try would be news each time, and lead to the next. */
const refusalOf = ({ status, sentence }: KubeError, { metadata: { name } }: ReplicaSet): string =>
  (status?.message ?? sentence).replace(/"([^"]+-)[a-z0-9]+"/g, (said, prefix: string) =>
    prefix === `${name}-` ? `"${prefix}"` : said,
  );

async function scale(cluster: SimulatedCluster, set: ReplicaSet): Promise<void> {
  const pods = cluster.ownedBy(set, "Pod").filter(isActive);
  const wanted = set.spec.replicas ?? 1;
  for (let number = pods.length; number < wanted; number++) {
    const name = `${set.metadata.name}-${cluster.suffix(set)}`;
    const pod = await cluster.create("Pod", podOf(set, set.spec.template, name));
    if (pod !== undefined) await cluster.tell(set, "Normal", "SuccessfulCreate", `Created pod: ${name}`);
  }
  // Pods that are not ready go first, then the youngest.
  const leaving = [...pods]
    .reverse()
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, Math.max(0, pods.length - wanted));
  for (const pod of leaving) {
    await cluster.delete("Pod", pod);
    await cluster.tell(set, "Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  }
}

const rank = (pod: Pod): number => (isReady(pod) ? 1 : 0);
