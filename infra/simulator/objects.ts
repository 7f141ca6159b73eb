import type { Resource } from "../../shared/kube/client.ts";
import type { KubeObject, OwnerReference } from "../../shared/kube/object.ts";
import type { PersistentVolumeClaimSpec } from "../../shared/kube/schema/claim.ts";
import type { PersistentVolumeClaimStatus } from "../../shared/kube/schema/claim-status.ts";
import type { JobSpec, JobStatus } from "../../shared/kube/schema/jobs.ts";
import type { PodSpec } from "../../shared/kube/schema/pod-spec.ts";
import type { PodStatus } from "../../shared/kube/schema/pod-status.ts";
import type { ServiceSpec, ServiceStatus } from "../../shared/kube/schema/service.ts";
import type {
  DaemonSetSpec,
  DaemonSetStatus,
  DeploymentSpec,
  DeploymentStatus,
  ReplicaSetSpec,
  ReplicaSetStatus,
  StatefulSetSpec,
  StatefulSetStatus,
} from "../../shared/kube/schema/workloads.ts";

/** An object with the parts that its controller reads and writes. */
export type Of<Spec, Status> = KubeObject & { readonly spec: Spec; readonly status?: Status };
export type Pod = Of<PodSpec, PodStatus>;
export type ReplicaSet = Of<ReplicaSetSpec, ReplicaSetStatus>;
export type Deployment = Of<DeploymentSpec, DeploymentStatus>;
export type StatefulSet = Of<StatefulSetSpec, StatefulSetStatus>;
export type DaemonSet = Of<DaemonSetSpec, DaemonSetStatus>;
export type Job = Of<JobSpec, JobStatus>;
export type Claim = Of<PersistentVolumeClaimSpec, PersistentVolumeClaimStatus>;
export type Service = Of<ServiceSpec, ServiceStatus>;

interface Simulated {
  readonly Pod: Pod;
  readonly ReplicaSet: ReplicaSet;
  readonly Deployment: Deployment;
  readonly StatefulSet: StatefulSet;
  readonly DaemonSet: DaemonSet;
  readonly Job: Job;
  readonly PersistentVolumeClaim: Claim;
  readonly Service: Service;
}
export type SimulatedKind = keyof Simulated;
export type ObjectOf<K extends SimulatedKind> = Simulated[K];

const resource = (group: string, kind: string, plural: string): Resource => ({
  group,
  version: "v1",
  kind,
  plural,
  scope: "Namespaced",
});
export const RESOURCES: Readonly<Record<SimulatedKind, Resource>> = {
  Pod: resource("", "Pod", "pods"),
  ReplicaSet: resource("apps", "ReplicaSet", "replicasets"),
  Deployment: resource("apps", "Deployment", "deployments"),
  StatefulSet: resource("apps", "StatefulSet", "statefulsets"),
  DaemonSet: resource("apps", "DaemonSet", "daemonsets"),
  Job: resource("batch", "Job", "jobs"),
  PersistentVolumeClaim: resource("", "PersistentVolumeClaim", "persistentvolumeclaims"),
  Service: resource("", "Service", "services"),
};
export const KINDS = Object.keys(RESOURCES) as readonly SimulatedKind[];

/** The kinds to play beside the kube-controller-manager that we run: it acts on objects alone, without nodes, volumes or a cloud. */
export const BESIDE_CONTROLLERS: readonly SimulatedKind[] = [
  "Pod",
  "DaemonSet",
  "PersistentVolumeClaim",
  "Service",
];

export const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? "";
export const isDeleting = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;
export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller);
/** A time as the API writes it: whole seconds. */
export const timeOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+/, "");

/** A pod that still counts for its workload. */
export const isActive = (pod: Pod): boolean =>
  !isDeleting(pod) && pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed";
const readyCondition = (pod: Pod) => pod.status?.conditions?.find(({ type }) => type === "Ready");
export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === "True";

/** The time from which a ready pod counts as available; undefined while it is not ready. */
export function availableFrom(pod: Pod, minReadySeconds = 0): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== "True") return undefined;
  return minReadySeconds === 0 ? 0 : Date.parse(ready.lastTransitionTime ?? "") + minReadySeconds * 1000;
}
