import * as z from "zod";
import { EnvFromSource, EnvVar } from "./env.ts";
import { Lifecycle, Probe } from "./probes.ts";
import { ResourceRequirements } from "./resources.ts";
import { SecurityContext } from "./security.ts";
import { atomic, flag, int32, keyed, oneOf, setOf, text } from "./words.ts";

export const ContainerPort = z.object({
  containerPort: int32.describe("Number of the port, 1 to 65535."),
  hostIP: text.optional(),
  hostPort: int32.optional(),
  name: text.describe("Name of the port, unique in the pod.").optional(),
  protocol: oneOf("SCTP", "TCP", "UDP").describe("TCP, UDP or SCTP.").default("TCP"),
});
export type ContainerPort = z.infer<typeof ContainerPort>;

export const ContainerResizePolicy = z.object({
  resourceName: text,
  restartPolicy: text,
});
export type ContainerResizePolicy = z.infer<typeof ContainerResizePolicy>;

export const ContainerRestartRuleOnExitCodes = z.object({
  operator: text,
  values: setOf(int32).optional(),
});
export type ContainerRestartRuleOnExitCodes = z.infer<typeof ContainerRestartRuleOnExitCodes>;

export const ContainerRestartRule = z.object({
  action: text,
  exitCodes: ContainerRestartRuleOnExitCodes.optional(),
});
export type ContainerRestartRule = z.infer<typeof ContainerRestartRule>;

export const VolumeDevice = z.object({
  devicePath: text,
  name: text,
});
export type VolumeDevice = z.infer<typeof VolumeDevice>;

export const VolumeMount = z.object({
  mountPath: text.describe("Path in the container."),
  mountPropagation: oneOf("Bidirectional", "HostToContainer", "None").optional(),
  name: text.describe("Name of the volume."),
  readOnly: flag.describe("Whether the container may not write.").optional(),
  recursiveReadOnly: text.optional(),
  subPath: text.optional(),
  subPathExpr: text.optional(),
});
export type VolumeMount = z.infer<typeof VolumeMount>;

/** One container of a pod. */
export const Container = z.object({
  args: atomic(text).describe("Arguments of the entry point.").optional(),
  command: atomic(text).describe("Replaces the image's entry point.").optional(),
  env: keyed(EnvVar, "name").describe("Environment variables.").optional(),
  envFrom: atomic(EnvFromSource).describe("Sources whose keys all become environment variables.").optional(),
  image: text.describe("Image that is run.").optional(),
  imagePullPolicy: oneOf("Always", "IfNotPresent", "Never")
    .describe("Always, IfNotPresent or Never.")
    .optional(),
  lifecycle: Lifecycle.describe("Actions after the start and before the end.").optional(),
  livenessProbe: Probe.describe("The container is restarted when this fails.").optional(),
  name: text.describe("Name of the container, unique in the pod."),
  ports: keyed(ContainerPort, "containerPort", "protocol")
    .describe("Ports that the container listens on.")
    .optional(),
  readinessProbe: Probe.describe("The container gets no traffic while this fails.").optional(),
  resizePolicy: atomic(ContainerResizePolicy).optional(),
  resources: ResourceRequirements.describe(
    "CPU, memory and others that the container asks for and may use.",
  ).optional(),
  restartPolicy: text.optional(),
  restartPolicyRules: atomic(ContainerRestartRule).optional(),
  securityContext: SecurityContext.describe("Rights and identity of this container.").optional(),
  startupProbe: Probe.describe("The other probes wait until this has succeeded.").optional(),
  stdin: flag.optional(),
  stdinOnce: flag.optional(),
  terminationMessagePath: text.optional(),
  terminationMessagePolicy: oneOf("FallbackToLogsOnError", "File").optional(),
  tty: flag.optional(),
  volumeDevices: keyed(VolumeDevice, "devicePath").optional(),
  volumeMounts: keyed(VolumeMount, "mountPath").describe("Where volumes appear in the container.").optional(),
  workingDir: text.describe("Directory in which the entry point starts.").optional(),
});
export type Container = z.infer<typeof Container>;

export const EphemeralContainer = z.object({
  args: atomic(text).optional(),
  command: atomic(text).optional(),
  env: keyed(EnvVar, "name").optional(),
  envFrom: atomic(EnvFromSource).optional(),
  image: text.optional(),
  imagePullPolicy: oneOf("Always", "IfNotPresent", "Never").optional(),
  lifecycle: Lifecycle.optional(),
  livenessProbe: Probe.optional(),
  name: text,
  ports: keyed(ContainerPort, "containerPort", "protocol").optional(),
  readinessProbe: Probe.optional(),
  resizePolicy: atomic(ContainerResizePolicy).optional(),
  resources: ResourceRequirements.optional(),
  restartPolicy: text.optional(),
  restartPolicyRules: atomic(ContainerRestartRule).optional(),
  securityContext: SecurityContext.optional(),
  startupProbe: Probe.optional(),
  stdin: flag.optional(),
  stdinOnce: flag.optional(),
  targetContainerName: text.optional(),
  terminationMessagePath: text.optional(),
  terminationMessagePolicy: oneOf("FallbackToLogsOnError", "File").optional(),
  tty: flag.optional(),
  volumeDevices: keyed(VolumeDevice, "devicePath").optional(),
  volumeMounts: keyed(VolumeMount, "mountPath").optional(),
  workingDir: text.optional(),
});
export type EphemeralContainer = z.infer<typeof EphemeralContainer>;
