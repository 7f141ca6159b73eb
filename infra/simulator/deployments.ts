import { deploymentStatus, progressDeadline } from "./deployment-status.ts";
import { type Deployment, isActive, isDeleting, type ReplicaSet, uidOf } from "./objects.ts";
import { bounds, rollOn, type Scale } from "./rollout.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { controllerReference, HASH_LABEL, suffixOf, templateText } from "./template.ts";

const REVISION = "deployment.kubernetes.io/revision";
const HASH_LENGTH = 10;

/** Rolls the Deployment's template out over ReplicaSets. Gives the time at which to look again. */
export async function playDeployment(
  cluster: SimulatedCluster,
  deployment: Deployment,
): Promise<number | undefined> {
  const { spec } = deployment;
  if (isDeleting(deployment)) return undefined;
  const text = templateText(spec.template);
  const isFresh = (set: ReplicaSet): boolean => templateText(set.spec.template) === text;
  const present = (): ReplicaSet[] =>
    cluster.ownedBy(deployment, "ReplicaSet").filter((set) => !isDeleting(set));

  if (spec.paused) await scaleOnly(cluster, deployment, present());
  else {
    const fresh = present().find(isFresh) ?? (await createFresh(cluster, deployment, text, present()));
    if (fresh !== undefined)
      await roll(
        cluster,
        deployment,
        fresh,
        present().filter((set) => uidOf(set) !== uidOf(fresh)),
      );
  }

  const now = cluster.clock.now();
  const all = present();
  const fresh = all.find(isFresh);
  const current = cluster.get("Deployment", uidOf(deployment)) ?? deployment;
  const revision = fresh?.metadata.annotations?.[REVISION];
  const status = deploymentStatus(current, fresh, all, now);
  await cluster.setStatus(
    "Deployment",
    current,
    status,
    revision === undefined ? {} : { [REVISION]: revision },
  );
  if (status.conditions?.some(({ reason }) => reason === "NewReplicaSetAvailable"))
    await forgetOld(
      cluster,
      current,
      all.filter((set) => set !== fresh),
    );
  return progressDeadline({ ...current, status });
}

const scaleOf = ({ spec, status }: ReplicaSet): Scale => ({
  wants: spec.replicas ?? 1,
  available: status?.availableReplicas ?? 0,
});
const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);

/** Undefined while the old pods of a `Recreate` must go first, and where the name is taken. */
async function createFresh(
  cluster: SimulatedCluster,
  deployment: Deployment,
  text: string,
  old: readonly ReplicaSet[],
): Promise<ReplicaSet | undefined> {
  const { spec, metadata } = deployment;
  if (await recreateWaits(cluster, deployment, old)) return undefined;
  const hash = suffixOf(`${text}${deployment.status?.collisionCount ?? ""}`, HASH_LENGTH);
  const replicas =
    spec.strategy?.type === "Recreate"
      ? (spec.replicas ?? 1)
      : rollOn(spec, { wants: 0, available: 0 }, old.map(scaleOf)).fresh;
  const name = `${metadata.name}-${hash}`;
  const revision = String(Math.max(0, ...old.map(revisionOf)) + 1);
  const { template, selector } = spec;
  const made = await cluster.create("ReplicaSet", {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: { ...template.metadata?.labels, [HASH_LABEL]: hash },
      annotations: { ...carried(deployment), ...annotationsOf(deployment, revision) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(spec.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, [HASH_LABEL]: hash } },
      },
    },
  });
  if (made === undefined)
    cluster.log.warn(
      { name, namespace: metadata.namespace },
      "another ReplicaSet has the name that a rollout needs",
    );
  else if (replicas > 0)
    await cluster.tell(
      deployment,
      "Normal",
      "ScalingReplicaSet",
      `Scaled up replica set ${name} from 0 to ${replicas}`,
    );
  return made;
}

async function recreateWaits(
  cluster: SimulatedCluster,
  deployment: Deployment,
  old: readonly ReplicaSet[],
): Promise<boolean> {
  if (deployment.spec.strategy?.type !== "Recreate") return false;
  for (const set of old) await scaleTo(cluster, deployment, set, 0);
  return old.some((set) => cluster.ownedBy(set, "Pod").some(isActive));
}

async function roll(
  cluster: SimulatedCluster,
  deployment: Deployment,
  fresh: ReplicaSet,
  old: readonly ReplicaSet[],
): Promise<void> {
  const newest = Math.max(0, ...old.map(revisionOf));
  // An earlier template that comes back is the newest revision again.
  const revision = String(revisionOf(fresh) > newest ? revisionOf(fresh) : newest + 1);
  const { replicas = 1 } = deployment.spec;
  if (await recreateWaits(cluster, deployment, old)) return;
  const next = rollOn(deployment.spec, scaleOf(fresh), old.map(scaleOf));
  await scaleTo(cluster, deployment, fresh, next.fresh, revision);
  for (const [index, set] of old.entries())
    await scaleTo(cluster, deployment, set, next.old[index] ?? replicas);
}

/** A paused Deployment still follows its number of replicas, in the one ReplicaSet that runs. */
async function scaleOnly(
  cluster: SimulatedCluster,
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): Promise<void> {
  const running = sets.filter(({ spec }) => (spec.replicas ?? 1) > 0);
  const only = running[0] ?? [...sets].sort((a, b) => revisionOf(b) - revisionOf(a))[0];
  if (only !== undefined && running.length <= 1)
    await scaleTo(cluster, deployment, only, deployment.spec.replicas ?? 1);
}

async function scaleTo(
  cluster: SimulatedCluster,
  deployment: Deployment,
  set: ReplicaSet,
  replicas: number,
  revision = set.metadata.annotations?.[REVISION] ?? "1",
): Promise<void> {
  const before = set.spec.replicas ?? 1;
  const wanted = annotationsOf(deployment, revision);
  const changed = Object.entries(wanted).filter(
    ([name, value]) => set.metadata.annotations?.[name] !== value,
  );
  const relabel = replicas > 0 && changed.length > 0;
  if (before === replicas && !relabel) return;
  await cluster.patch("ReplicaSet", set, {
    ...(relabel ? { metadata: { annotations: Object.fromEntries(changed) } } : {}),
    ...(before === replicas ? {} : { spec: { replicas } }),
  });
  if (before !== replicas)
    await cluster.tell(
      deployment,
      "Normal",
      "ScalingReplicaSet",
      `Scaled ${replicas > before ? "up" : "down"} replica set ${set.metadata.name} from ${before} to ${replicas}`,
    );
}

/** A new ReplicaSet has the annotations of its Deployment, so that the history tells the cause of each change. */
const carried = ({ metadata }: Deployment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(
      ([name]) =>
        name !== "kubectl.kubernetes.io/last-applied-configuration" &&
        !name.startsWith("deployment.kubernetes.io/"),
    ),
  );

const annotationsOf = ({ spec }: Deployment, revision: string): Record<string, string> => ({
  "deployment.kubernetes.io/desired-replicas": String(spec.replicas ?? 1),
  "deployment.kubernetes.io/max-replicas": String((spec.replicas ?? 1) + bounds(spec).surge),
  [REVISION]: revision,
});

async function forgetOld(
  cluster: SimulatedCluster,
  deployment: Deployment,
  old: readonly ReplicaSet[],
): Promise<void> {
  const empty = old
    .filter(({ spec, status }) => spec.replicas === 0 && (status?.replicas ?? 0) === 0)
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  for (const set of empty.slice(0, Math.max(0, empty.length - (deployment.spec.revisionHistoryLimit ?? 10))))
    await cluster.delete("ReplicaSet", set);
}
