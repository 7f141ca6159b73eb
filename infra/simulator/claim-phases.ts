import { behaviourOf, type Outcome } from "./behaviour.ts";
import { type Claim, isDeleting } from "./objects.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const PROTECTION = "kubernetes.io/pvc-protection";

/**
 * Binds a claim to the storage that it asks for, without a volume behind it, unless its outcome says otherwise. One that is deleted loses
 * its protection once no pod uses it.
 */
export async function playClaim(
  cluster: SimulatedCluster,
  claim: Claim,
  outcome: Outcome | undefined,
): Promise<void> {
  if (isDeleting(claim)) {
    if (claim.metadata.finalizers?.includes(PROTECTION) === true && !isUsed(cluster, claim))
      await cluster.release("PersistentVolumeClaim", claim, PROTECTION);
    return;
  }
  const { outcome: ends } = behaviourOf([claim], () => outcome, 0);
  if (ends !== "ready" || claim.status?.phase === "Bound") return;
  const { accessModes, resources } = claim.spec;
  const storage = resources?.requests?.storage;
  await cluster.setStatus("PersistentVolumeClaim", claim, {
    ...claim.status,
    phase: "Bound",
    ...(accessModes !== undefined && { accessModes }),
    ...(storage !== undefined && { capacity: { storage } }),
  });
}

const isUsed = (cluster: SimulatedCluster, { metadata: { name, namespace } }: Claim): boolean =>
  [...cluster.all("Pod")].some(
    (pod) =>
      pod.metadata.namespace === namespace &&
      pod.status?.phase !== "Succeeded" &&
      pod.status?.phase !== "Failed" &&
      pod.spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name),
  );
