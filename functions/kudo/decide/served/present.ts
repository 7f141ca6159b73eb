import type { KubeObject } from "../../../../shared/kube/object.ts";
import { firstAutoscaler } from "./autoscaling.ts";
import { definition } from "./definition.ts";
import { ingress } from "./ingress.ts";
import type { Move } from "./move.ts";
import { endpointSlice, firstRuntimeClass, priorityLevel, signingRequest, webhooks } from "./webhooks.ts";
import {
  disruptionBudget,
  extensionsDaemonSet,
  extensionsDeployment,
  extensionsReplicaSet,
  firstDeployment,
  firstStatefulSet,
  secondDaemonSet,
} from "./workloads.ts";

/** The version that has taken the place of one that Kubernetes dropped. */
interface Successor {
  /** Undefined where none has. */
  readonly apiVersion: string | undefined;
  /** The first Kubernetes without the old one. */
  readonly gone: string;
  readonly move: Move;
}

interface Dropped {
  readonly from: readonly string[];
  readonly gone: string;
  readonly to: string | undefined;
  /** The kinds, and what is said otherwise there. */
  readonly kinds: Readonly<Record<string, Move>>;
}

const same: Move = (object) => object;

/** The API versions that Kubernetes dropped, as its deprecation guide lists them. */
const DROPPED: readonly Dropped[] = [
  {
    from: ["extensions/v1beta1"],
    gone: "1.16",
    to: "apps/v1",
    kinds: {
      DaemonSet: extensionsDaemonSet,
      Deployment: extensionsDeployment,
      ReplicaSet: extensionsReplicaSet,
    },
  },
  {
    from: ["apps/v1beta1"],
    gone: "1.16",
    to: "apps/v1",
    kinds: { Deployment: firstDeployment, StatefulSet: firstStatefulSet, ControllerRevision: same },
  },
  {
    from: ["apps/v1beta2"],
    gone: "1.16",
    to: "apps/v1",
    kinds: {
      DaemonSet: secondDaemonSet,
      Deployment: same,
      ReplicaSet: same,
      StatefulSet: same,
      ControllerRevision: same,
    },
  },
  {
    from: ["extensions/v1beta1"],
    gone: "1.16",
    to: "networking.k8s.io/v1",
    kinds: { NetworkPolicy: same },
  },
  {
    from: ["extensions/v1beta1", "networking.k8s.io/v1beta1"],
    gone: "1.22",
    to: "networking.k8s.io/v1",
    kinds: { Ingress: ingress, IngressClass: same },
  },
  {
    from: ["admissionregistration.k8s.io/v1beta1"],
    gone: "1.22",
    to: "admissionregistration.k8s.io/v1",
    kinds: { MutatingWebhookConfiguration: webhooks, ValidatingWebhookConfiguration: webhooks },
  },
  {
    from: ["apiextensions.k8s.io/v1beta1"],
    gone: "1.22",
    to: "apiextensions.k8s.io/v1",
    kinds: { CustomResourceDefinition: definition },
  },
  {
    from: ["apiregistration.k8s.io/v1beta1"],
    gone: "1.22",
    to: "apiregistration.k8s.io/v1",
    kinds: { APIService: same },
  },
  {
    from: ["certificates.k8s.io/v1beta1"],
    gone: "1.22",
    to: "certificates.k8s.io/v1",
    kinds: { CertificateSigningRequest: signingRequest },
  },
  {
    from: ["coordination.k8s.io/v1beta1"],
    gone: "1.22",
    to: "coordination.k8s.io/v1",
    kinds: { Lease: same },
  },
  {
    from: ["rbac.authorization.k8s.io/v1beta1"],
    gone: "1.22",
    to: "rbac.authorization.k8s.io/v1",
    kinds: { ClusterRole: same, ClusterRoleBinding: same, Role: same, RoleBinding: same },
  },
  {
    from: ["scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha1"],
    gone: "1.22",
    to: "scheduling.k8s.io/v1",
    kinds: { PriorityClass: same },
  },
  {
    from: ["storage.k8s.io/v1beta1"],
    gone: "1.22",
    to: "storage.k8s.io/v1",
    kinds: { CSIDriver: same, CSINode: same, StorageClass: same, VolumeAttachment: same },
  },
  {
    from: ["batch/v1beta1", "batch/v2alpha1"],
    gone: "1.25",
    to: "batch/v1",
    kinds: { CronJob: same },
  },
  {
    from: ["discovery.k8s.io/v1beta1"],
    gone: "1.25",
    to: "discovery.k8s.io/v1",
    kinds: { EndpointSlice: endpointSlice },
  },
  {
    from: ["autoscaling/v2beta1"],
    gone: "1.25",
    to: "autoscaling/v2",
    kinds: { HorizontalPodAutoscaler: firstAutoscaler },
  },
  {
    from: ["autoscaling/v2beta2"],
    gone: "1.26",
    to: "autoscaling/v2",
    kinds: { HorizontalPodAutoscaler: same },
  },
  {
    from: ["policy/v1beta1"],
    gone: "1.25",
    to: "policy/v1",
    kinds: { PodDisruptionBudget: disruptionBudget },
  },
  {
    from: ["policy/v1beta1", "extensions/v1beta1"],
    gone: "1.25",
    to: undefined,
    kinds: { PodSecurityPolicy: same },
  },
  { from: ["settings.k8s.io/v1alpha1"], gone: "1.20", to: undefined, kinds: { PodPreset: same } },
  {
    from: ["node.k8s.io/v1beta1"],
    gone: "1.25",
    to: "node.k8s.io/v1",
    kinds: { RuntimeClass: same },
  },
  {
    from: ["node.k8s.io/v1alpha1"],
    gone: "1.25",
    to: "node.k8s.io/v1",
    kinds: { RuntimeClass: firstRuntimeClass },
  },
  {
    from: ["storage.k8s.io/v1beta1"],
    gone: "1.27",
    to: "storage.k8s.io/v1",
    kinds: { CSIStorageCapacity: same },
  },
  {
    from: [1, 2].map((number) => `flowcontrol.apiserver.k8s.io/v1beta${number}`),
    gone: "1.29",
    to: "flowcontrol.apiserver.k8s.io/v1",
    kinds: { FlowSchema: same, PriorityLevelConfiguration: priorityLevel },
  },
  {
    from: ["flowcontrol.apiserver.k8s.io/v1beta3"],
    gone: "1.32",
    to: "flowcontrol.apiserver.k8s.io/v1",
    kinds: { FlowSchema: same, PriorityLevelConfiguration: same },
  },
];

const nameOf = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;
const SUCCESSORS: ReadonlyMap<string, Successor> = new Map(
  DROPPED.flatMap(({ from, gone, to: apiVersion, kinds }) =>
    from.flatMap((old) =>
      Object.entries(kinds).map(([kind, move]) => [nameOf(old, kind), { apiVersion, gone, move }] as const),
    ),
  ),
);

/** The version that took the place of one that Kubernetes dropped; undefined for all others. */
export const successorOf = ({
  apiVersion,
  kind,
}: Pick<KubeObject, "apiVersion" | "kind">): Pick<Successor, "apiVersion" | "gone"> | undefined =>
  SUCCESSORS.get(nameOf(apiVersion, kind));

/** An object in its present version, or in words what of it has no place there. */
export type Present = { readonly object: KubeObject } | { readonly homeless: string };

/** Says an object of a dropped version in its present one; undefined where there is none. */
export function present(object: KubeObject): Present | undefined {
  const successor = SUCCESSORS.get(nameOf(object.apiVersion, object.kind));
  if (successor?.apiVersion === undefined) return undefined;
  const moved = successor.move(object);
  return typeof moved === "string"
    ? { homeless: moved }
    : { object: { ...moved, apiVersion: successor.apiVersion } };
}
