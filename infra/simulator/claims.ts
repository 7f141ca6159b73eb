import type { Resource } from "../../shared/kube/client.ts";
import type { StatefulSet } from "./objects.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const RESOURCE: Resource = {
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  scope: "Namespaced",
};

/** A volume of a pod that is a claim. */
interface ClaimVolume {
  readonly name: string;
  readonly persistentVolumeClaim: { readonly claimName: string };
}

/** Makes the claims of a StatefulSet's pod where they are missing, and gives the volumes that use them. */
export async function claimsOf(
  cluster: SimulatedCluster,
  set: StatefulSet,
  ordinal: number,
): Promise<readonly ClaimVolume[]> {
  const volumes: ClaimVolume[] = [];
  for (const { metadata = {}, spec } of set.spec.volumeClaimTemplates ?? []) {
    const volume = metadata.name ?? "";
    const name = `${volume}-${set.metadata.name}-${ordinal}`;
    await cluster.ensure(RESOURCE, {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        name,
        namespace: set.metadata.namespace,
        ...(metadata.annotations === undefined ? {} : { annotations: metadata.annotations }),
        labels: { ...metadata.labels, ...set.spec.selector.matchLabels },
      },
      spec,
    });
    volumes.push({ name: volume, persistentVolumeClaim: { claimName: name } });
  }
  return volumes;
}
