import { readDeployment } from "../../../../shared/kube/health/index.ts";
import type { Deployment } from "../../../../shared/kube/kinds/index.ts";
import { type Verdict, verdict } from "./conditions.ts";

/** The health of a Deployment's pods by its own status: available, failing, stuck, or not there yet. */
export function deploymentHealth(live: Deployment | undefined): Verdict {
  if (live === undefined) return verdict("False", "WaitingForDeployment");
  const { available, progressing, replicaFailure, wanted } = readDeployment(live);
  if (available?.status === "True")
    return wanted === 0 ? verdict("True", "", "It is scaled to 0 replicas.") : verdict("True");
  if (replicaFailure?.status === "True")
    return verdict(
      "False",
      "DeploymentFailure",
      replicaFailure.message || replicaFailure.reason || "Pods cannot be made.",
    );
  if (progressing?.status === "False")
    return verdict("False", "DeploymentIsUnavailable", progressing.message || progressing.reason);
  return verdict("False", "WaitingForDeployment");
}
