/** The optional parts of a cluster that the API of today knows, in upstream's order. */
export const CAPABILITIES = [
  "openshift-samples",
  "baremetal",
  "marketplace",
  "Console",
  "Insights",
  "Storage",
  "CSISnapshot",
  "NodeTuning",
  "MachineAPI",
  "Build",
  "DeploymentConfig",
  "ImageRegistry",
  "OperatorLifecycleManager",
  "CloudCredential",
  "Ingress",
  "CloudControllerManager",
  "OperatorLifecycleManagerV1",
] as const;

/** Parts that upstream keeps behind feature gates: in no set, and known where the spec asks for them. */
export const GATED_CAPABILITIES = ["ClusterAPI", "CompatibilityRequirements"] as const;

/** The names that `spec.capabilities.baselineCapabilitySet` may have. */
export const CAPABILITY_SETS = [
  "None",
  "v4.11",
  "v4.12",
  "v4.13",
  "v4.14",
  "v4.15",
  "v4.16",
  "v4.17",
  "v4.18",
  "vCurrent",
] as const;
