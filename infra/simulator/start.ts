import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import { WorkQueue } from "../../shared/kube/client/work-queue.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { type Outcome, sameAnnotations } from "./behaviour.ts";
import { playClaim } from "./claim-phases.ts";
import { playDaemonSet } from "./daemon-sets.ts";
import { playDeployment } from "./deployments.ts";
import { playJob } from "./jobs.ts";
import { playService } from "./load-balancers.ts";
import { controllerOf, isDeleting, KINDS, type SimulatedKind, uidOf } from "./objects.ts";
import { playPod } from "./pods.ts";
import { playReplicaSet } from "./replica-sets.ts";
import { SimulatedCluster } from "./simulated-cluster.ts";
import { playStatefulSet } from "./stateful-sets.ts";

const DELAY_MILLISECONDS = 1000;

export interface SimulatorOptions {
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly log?: Log;
  /** The kinds to play. Beside real controllers those that they do not: `BESIDE_CONTROLLERS`, or `["Pod"]`. Default: all. */
  readonly only?: readonly SimulatedKind[];
  /** The time that a pod takes to become ready where nothing else is said, default 1 s. */
  readonly delayMilliseconds?: number;
}

/** A workload or a pod. */
export interface SimulatedObject {
  readonly kind: SimulatedKind;
  readonly namespace: string;
  readonly name: string;
}

export interface Simulator {
  /** Decides how the pods of a workload (or one pod) end up, before all annotations; undefined takes that back. */
  set(object: SimulatedObject, outcome: Outcome | undefined): void;
  /** Resolves when nothing is left to do at this moment; pods that become ready later do not count. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Plays workload controllers, kubelets, storage and load balancers: workloads, Pods, claims and Services become what
 * their annotations say. An ordinary client that goes on from what it finds, and writes nothing while nothing changes.
 * Resolves when it has seen all there is.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const {
    client,
    clock = systemClock,
    log = silent,
    only = KINDS,
    delayMilliseconds = DELAY_MILLISECONDS,
  } = options;
  const firstSeen = new Map<string, number>();
  const commands = new Map<string, Outcome>();
  const queue = new WorkQueue({ clock, log, work: (key) => play(key) });
  let started = false;

  const add = (kind: string, uid: string): void => {
    if (started && only.some((one) => one === kind)) queue.add(`${kind}/${uid}`);
  };
  const addPods = (owner: KubeObject): void => {
    for (const pod of cluster.ownedBy(owner, "Pod")) add("Pod", uidOf(pod));
    for (const set of cluster.ownedBy(owner, "ReplicaSet")) addPods(set);
  };
  // One that is deleted goes once no pod uses it.
  const addClaimsOf = ({ metadata }: KubeObject): void => {
    for (const claim of cluster.all("PersistentVolumeClaim"))
      if (claim.metadata.namespace === metadata.namespace && isDeleting(claim))
        add("PersistentVolumeClaim", uidOf(claim));
  };
  const cluster: SimulatedCluster = new SimulatedCluster({
    client,
    clock,
    log,
    seen: (kind, now, before, listed) => {
      const object = now ?? before;
      if (object === undefined) return;
      if (kind === "Pod") {
        note(firstSeen, object, now !== undefined, listed, clock);
        addClaimsOf(object);
      }
      if (now !== undefined) add(kind, uidOf(now));
      const owner = controllerOf(object);
      if (owner !== undefined) add(owner.kind, owner.uid);
      if (kind !== "Pod" && now !== undefined && before !== undefined && !sameAnnotations(now, before))
        addPods(now);
    },
  });

  async function play(key: string): Promise<void> {
    const [kind, uid = ""] = key.split("/");
    const again = await playOne(kind, uid);
    if (again !== undefined) queue.addAt(key, again);
  }

  const outcomeOf = (object: KubeObject): Outcome | undefined =>
    commands.get(commandKey(object.kind, object.metadata.namespace, object.metadata.name));

  function playOne(kind: string | undefined, uid: string): Promise<number | undefined> {
    const absent = Promise.resolve(undefined);
    switch (kind) {
      case "Pod": {
        const pod = cluster.get("Pod", uid);
        return pod === undefined
          ? absent
          : playPod(cluster, pod, {
              delayMilliseconds,
              set: outcomeOf,
              firstSeen: () => firstSeen.get(uid) ?? clock.now(),
            });
      }
      case "ReplicaSet": {
        const found = cluster.get("ReplicaSet", uid);
        return found === undefined ? absent : playReplicaSet(cluster, found);
      }
      case "Deployment": {
        const found = cluster.get("Deployment", uid);
        return found === undefined ? absent : playDeployment(cluster, found);
      }
      case "StatefulSet": {
        const found = cluster.get("StatefulSet", uid);
        return found === undefined ? absent : playStatefulSet(cluster, found);
      }
      case "DaemonSet": {
        const found = cluster.get("DaemonSet", uid);
        return found === undefined ? absent : playDaemonSet(cluster, found);
      }
      case "PersistentVolumeClaim": {
        const found = cluster.get("PersistentVolumeClaim", uid);
        return found === undefined
          ? absent
          : playClaim(cluster, found, outcomeOf(found)).then(() => undefined);
      }
      case "Service": {
        const found = cluster.get("Service", uid);
        return found === undefined
          ? absent
          : playService(cluster, found, outcomeOf(found)).then(() => undefined);
      }
      case "Job": {
        const found = cluster.get("Job", uid);
        return found === undefined ? absent : playJob(cluster, found);
      }
      default:
        return absent;
    }
  }

  // Before everything has been seen, a missing pod may just not have been listed yet.
  await cluster.synced();
  started = true;
  for (const kind of only) for (const object of cluster.all(kind)) add(kind, uidOf(object));
  return {
    set({ kind, namespace, name }, outcome) {
      const key = commandKey(kind, namespace, name);
      if (outcome === undefined) commands.delete(key);
      else commands.set(key, outcome);
      for (const object of cluster.all(kind)) {
        if (object.metadata.namespace !== namespace || object.metadata.name !== name) continue;
        add(kind, uidOf(object));
        addPods(object);
      }
    },
    idle: () => queue.idle(),
    stop: async () => {
      await Promise.all([cluster.stop(), queue.stop()]);
    },
  };
}

const commandKey = (kind: string, namespace: string | undefined, name: string): string =>
  `${kind}/${namespace}/${name}`;

/**
 * Notes the time since which a pod waits: one from before us since it was made, a new one since now (times of the API are whole
 * seconds).
 */
function note(
  firstSeen: Map<string, number>,
  pod: KubeObject,
  present: boolean,
  listed: boolean,
  clock: Clock,
): void {
  const uid = uidOf(pod);
  if (!present) firstSeen.delete(uid);
  else if (!firstSeen.has(uid)) {
    const made = Date.parse(pod.metadata.creationTimestamp ?? "");
    firstSeen.set(uid, listed && made < clock.now() ? made : clock.now());
  }
}
