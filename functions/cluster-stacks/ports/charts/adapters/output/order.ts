import { textOf } from "../../../../../../shared/json/fields.ts";
import type { RenderedDocument } from "../../contract.ts";

/** The kinds in the order in which helm installs them; others come behind, by their names. */
const ORDER = [
  "PriorityClass Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ServiceAccount Secret",
  "SecretList ConfigMap StorageClass PersistentVolume PersistentVolumeClaim CustomResourceDefinition ClusterRole",
  "ClusterRoleList ClusterRoleBinding ClusterRoleBindingList Role RoleList RoleBinding RoleBindingList Service DaemonSet Pod",
  "ReplicationController ReplicaSet Deployment HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress APIService",
  "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
].flatMap((line) => line.split(" "));
const PLACES: ReadonlyMap<string, number> = new Map(ORDER.map((kind, place) => [kind, place]));

function compareKinds(one: string, other: string): number {
  const [mine, theirs] = [PLACES.get(one), PLACES.get(other)];
  if (mine !== undefined && theirs !== undefined) return mine - theirs;
  if (mine === undefined && theirs === undefined) return one < other ? -1 : one > other ? 1 : 0;
  return mine === undefined ? 1 : -1;
}

const kindOf = ({ object }: RenderedDocument): string => textOf(object.kind);

/** Documents by kind; those of one kind stay in their order. Hooks come last, by kind too. */
export function inInstallOrder(documents: readonly RenderedDocument[]): readonly RenderedDocument[] {
  const sorted = documents.toSorted((one, other) => compareKinds(kindOf(one), kindOf(other)));
  return [
    ...sorted.filter(({ hook }) => hook === undefined),
    ...sorted.filter(({ hook }) => hook !== undefined),
  ];
}
