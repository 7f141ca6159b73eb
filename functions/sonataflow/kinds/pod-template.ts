import * as z from "zod";
import { Toleration } from "../../../shared/kube/schema/affinity.ts";
import { Container, VolumeDevice, VolumeMount } from "../../../shared/kube/schema/container.ts";
import { EnvVar } from "../../../shared/kube/schema/env.ts";
import { HostAlias, PodReadinessGate, PodSpec } from "../../../shared/kube/schema/pod-spec.ts";
import { LocalObjectReference } from "../../../shared/kube/schema/references.ts";
import { Volume } from "../../../shared/kube/schema/volumes.ts";

const {
  name: _name,
  restartPolicy: _restartPolicy,
  restartPolicyRules: _restartPolicyRules,
  ...containerFields
} = Container.shape;
const {
  ephemeralContainers: _ephemeral,
  hostnameOverride: _hostnameOverride,
  resources: _resources,
  schedulingGroup: _schedulingGroup,
  serviceAccount: _serviceAccount,
  ...podFields
} = PodSpec.shape;

/** Pods as their user wants them: the main container without a name, how many, and all else that a pod can have. */
export const podTemplate = z.object({
  ...podFields,
  // Plain lists, as this kind has always had them: whoever applies one owns all of it.
  container: z
    .object({
      ...containerFields,
      env: z.array(EnvVar).describe("Further environment variables.").optional(),
      volumeDevices: z.array(VolumeDevice).optional(),
      volumeMounts: z.array(VolumeMount).describe("Where volumes appear in the container.").optional(),
    })
    .describe("The main container; its name is fixed.")
    .optional(),
  containers: z.array(Container).describe("Further containers.").optional(),
  hostAliases: z.array(HostAlias).optional(),
  imagePullSecrets: z
    .array(LocalObjectReference)
    .describe("Secrets with which images are pulled.")
    .optional(),
  initContainers: z
    .array(Container)
    .describe("Containers that run to their end before the others start.")
    .optional(),
  readinessGates: z.array(PodReadinessGate).optional(),
  tolerations: z.array(Toleration).describe("Taints that the pods tolerate.").optional(),
  volumes: z.array(Volume).describe("Volumes that containers can mount.").optional(),
  replicas: z.int32().describe("How many pods.").optional(),
});

/** The pod template of a workflow: `podTemplate`, and what deploys it. */
export const flowPodTemplate = podTemplate.extend({
  deploymentModel: z
    .enum(["kubernetes", "knative"])
    .describe("What deploys the workflow. Only kubernetes is served.")
    .optional(),
});

export type PodTemplate = z.output<typeof podTemplate>;
