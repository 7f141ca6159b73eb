import type { KubeObject } from "../../shared/kube/object.ts";
import { type Behaviour, behaviourOf, type Outcome } from "./behaviour.ts";
import { controllerOf, isDeleting, KINDS, type Pod } from "./objects.ts";
import { podStatus, type Stage, stageOf } from "./pod-status.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

export interface PodRules {
  readonly delayMilliseconds: number;
  /** The outcome that was commanded for an object. */
  readonly set: (object: KubeObject) => Outcome | undefined;
  /** The time at which the simulator first saw the pod. */
  readonly firstSeen: (pod: Pod) => number;
}

const TOLD: Readonly<
  Partial<Record<Stage, readonly [type: "Normal" | "Warning", reason: string, message: string]>>
> = {
  running: ["Normal", "Started", "Container started"],
  crashing: ["Warning", "BackOff", "Back-off restarting failed container"],
  imagePull: ["Warning", "Failed", "Error: ImagePullBackOff"],
};

/** Plays the kubelet for one pod. Gives the time at which to look again. Pods on a node have a kubelet of their own. */
export async function playPod(
  cluster: SimulatedCluster,
  pod: Pod,
  rules: PodRules,
): Promise<number | undefined> {
  if (isDeleting(pod) || pod.spec.nodeName) return undefined;
  const chain = ownersOf(cluster, pod);
  const behaviour: Behaviour = behaviourOf(chain, rules.set, rules.delayMilliseconds);
  for (const fault of behaviour.faults)
    cluster.log.warn({ namespace: pod.metadata.namespace, pod: pod.metadata.name }, fault);
  const runsToEnd = chain.some(({ kind }) => kind === "Job");
  const now = cluster.clock.now();
  const { stage, due } = stageOf(pod, behaviour, rules.firstSeen(pod), now, runsToEnd);
  const message = behaviour.outcome === "ready" ? undefined : behaviour.message;
  if (await cluster.setStatus("Pod", pod, podStatus(pod, stage, message, now))) {
    const told = TOLD[stage];
    if (told !== undefined) await cluster.tell(pod, told[0], told[1], message ?? told[2]);
  }
  return due;
}

/**
 * The pod, its controller, the controller's controller: as far as they are workloads that we know. A Deployment's
 * ReplicaSet has no say: it carries copies of the Deployment's annotations, which stay when the Deployment drops them.
 */
function ownersOf(cluster: SimulatedCluster, object: KubeObject): readonly KubeObject[] {
  const owner = controllerOf(object);
  const kind = KINDS.find((one) => one === owner?.kind);
  const found = owner === undefined || kind === undefined ? undefined : cluster.get(kind, owner.uid);
  if (found === undefined) return [object];
  const above = ownersOf(cluster, found);
  return [object, ...(found.kind === "ReplicaSet" && above.length > 1 ? above.slice(1) : above)];
}
