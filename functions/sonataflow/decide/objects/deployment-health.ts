import type { Deployment } from "../../../../shared/kube/kinds/index.ts";
import { type Verdict, verdict } from "./conditions.ts";

/** What a Deployment's own status says of the pods: available, failing, stuck, or not there yet. */
export function deploymentHealth(live: Deployment | undefined): Verdict {
  const find = (type: string) => live?.status?.conditions?.find((condition) => condition.type === type);
  if (find("Available")?.status === "True")
    return live?.spec?.replicas === 0 ? verdict("True", "", "It is scaled to 0 replicas.") : verdict("True");
  const failure = find("ReplicaFailure");
  if (failure?.status === "True")
    return verdict("False", "DeploymentFailure", failure.message || failure.reason || "Pods cannot be made.");
  const progress = find("Progressing");
  if (progress?.status === "False")
    return verdict("False", "DeploymentIsUnavailable", progress.message || progress.reason || "");
  return verdict("False", "WaitingForDeployment");
}
