import { CAPABILITIES } from "../../kinds/capability.ts";

/** Every capability that this version knows, in upstream's order. */
export const KNOWN_CAPABILITIES: readonly string[] = CAPABILITIES;

const v4_11 = ["openshift-samples", "baremetal", "marketplace", "MachineAPI"];
const v4_12 = [...v4_11, "Console", "Insights", "Storage", "CSISnapshot"];
const v4_13 = [...v4_12, "NodeTuning"];
const v4_14 = [...v4_13, "Build", "DeploymentConfig", "ImageRegistry"];
const v4_15 = [...v4_14, "OperatorLifecycleManager", "CloudCredential"];
const v4_16 = [...v4_15, "Ingress", "CloudControllerManager"];
const v4_18 = [...v4_16, "OperatorLifecycleManagerV1"];

/** The capabilities of each baseline. The lists of a release never change, `vCurrent` is all that is known. */
export const CAPABILITY_SETS: Readonly<Record<string, readonly string[]>> = {
  None: [],
  "v4.11": v4_11,
  "v4.12": v4_12,
  "v4.13": v4_13,
  "v4.14": v4_14,
  "v4.15": v4_15,
  "v4.16": v4_16,
  "v4.17": v4_16,
  "v4.18": v4_18,
  vCurrent: KNOWN_CAPABILITIES,
};
