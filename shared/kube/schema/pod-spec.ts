import * as z from "zod";
import { Affinity, Toleration, TopologySpreadConstraint } from "./affinity.ts";
import { Container, EphemeralContainer } from "./container.ts";
import { LocalObjectReference } from "./references.ts";
import { ResourceRequirements } from "./resources.ts";
import { PodSecurityContext } from "./security.ts";
import { Volume } from "./volumes.ts";
import { atomic, flag, int32, int64, keyed, keyedRetaining, mapOf, oneOf, quantity, text } from "./words.ts";

export const PodDNSConfigOption = z.object({
  name: text.optional(),
  value: text.optional(),
});
export type PodDNSConfigOption = z.infer<typeof PodDNSConfigOption>;

export const PodDNSConfig = z.object({
  nameservers: atomic(text).optional(),
  options: atomic(PodDNSConfigOption).optional(),
  searches: atomic(text).optional(),
});
export type PodDNSConfig = z.infer<typeof PodDNSConfig>;

export const HostAlias = z.object({
  hostnames: atomic(text).optional(),
  ip: text,
});
export type HostAlias = z.infer<typeof HostAlias>;

export const PodOS = z.object({
  name: text,
});
export type PodOS = z.infer<typeof PodOS>;

export const PodReadinessGate = z.object({
  conditionType: text,
});
export type PodReadinessGate = z.infer<typeof PodReadinessGate>;

export const PodResourceClaim = z.object({
  name: text,
  resourceClaimName: text.optional(),
  resourceClaimTemplateName: text.optional(),
});
export type PodResourceClaim = z.infer<typeof PodResourceClaim>;

export const PodSchedulingGate = z.object({
  name: text,
});
export type PodSchedulingGate = z.infer<typeof PodSchedulingGate>;

export const PodSchedulingGroup = z.object({
  podGroupName: text.optional(),
});
export type PodSchedulingGroup = z.infer<typeof PodSchedulingGroup>;

/** A pod's containers, volumes, placement and rights. */
export const PodSpec = z.object({
  activeDeadlineSeconds: int64.describe("Seconds after which the pod is stopped.").optional(),
  affinity: Affinity.describe("Rules about nodes and other pods that attract or repel.").optional(),
  automountServiceAccountToken: flag.optional(),
  containers: keyed(Container, "name").describe("Containers of the pod; at least one."),
  dnsConfig: PodDNSConfig.optional(),
  dnsPolicy: oneOf("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
    .describe("How names are resolved in the pod.")
    .optional(),
  enableServiceLinks: flag.optional(),
  ephemeralContainers: keyed(EphemeralContainer, "name").optional(),
  hostAliases: keyed(HostAlias, "ip").optional(),
  hostIPC: flag.optional(),
  hostNetwork: flag.describe("Whether the pod uses the node's network.").optional(),
  hostPID: flag.optional(),
  hostUsers: flag.optional(),
  hostname: text.optional(),
  hostnameOverride: text.optional(),
  imagePullSecrets: keyed(LocalObjectReference, "name")
    .describe("Secrets with which images are pulled.")
    .optional(),
  initContainers: keyed(Container, "name")
    .describe("Containers that run to their end, one after the other, before the others start.")
    .optional(),
  nodeName: text.describe("The node that the pod is bound to.").optional(),
  nodeSelector: mapOf(text)
    .meta({ "x-kubernetes-map-type": "atomic" })
    .describe("Labels that the node must have.")
    .optional(),
  os: PodOS.optional(),
  overhead: mapOf(quantity).optional(),
  preemptionPolicy: oneOf("Never", "PreemptLowerPriority").optional(),
  priority: int32.optional(),
  priorityClassName: text.describe("Names the PriorityClass of the pod.").optional(),
  readinessGates: atomic(PodReadinessGate).optional(),
  resourceClaims: keyedRetaining(PodResourceClaim, "name").optional(),
  resources: ResourceRequirements.optional(),
  restartPolicy: oneOf("Always", "Never", "OnFailure")
    .describe("When containers are restarted: Always, OnFailure or Never.")
    .optional(),
  runtimeClassName: text.optional(),
  schedulerName: text.describe("Which scheduler places the pod.").optional(),
  schedulingGates: keyed(PodSchedulingGate, "name").optional(),
  schedulingGroup: PodSchedulingGroup.optional(),
  securityContext: PodSecurityContext.describe("Rights and identities of all containers.").optional(),
  serviceAccount: text.describe("Older name of serviceAccountName.").optional(),
  serviceAccountName: text.describe("The ServiceAccount that the pod runs as.").optional(),
  setHostnameAsFQDN: flag.optional(),
  shareProcessNamespace: flag.optional(),
  subdomain: text.optional(),
  terminationGracePeriodSeconds: int64.describe("Seconds between the wish to stop and the kill.").optional(),
  tolerations: atomic(Toleration).describe("Taints that the pod tolerates.").optional(),
  topologySpreadConstraints: keyed(TopologySpreadConstraint, "topologyKey", "whenUnsatisfiable").optional(),
  volumes: keyedRetaining(Volume, "name").describe("Volumes that containers can mount.").optional(),
});
export type PodSpec = z.infer<typeof PodSpec>;
