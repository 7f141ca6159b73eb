import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { BROUGHT, CLUSTERS, PLAYED_LABEL, PLAYER } from "./resources.ts";

const CRDS = resourceOf(CustomResourceDefinition);
const nameOf = ({ plural, group }: Resource): string => `${plural}.${group}`;

/** The columns of a Cluster, as Cluster API shows it. */
const CLUSTER_COLUMNS = [
  { name: "ClusterClass", type: "string", jsonPath: ".spec.topology.class" },
  { name: "Phase", type: "string", jsonPath: ".status.phase" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  { name: "Version", type: "string", jsonPath: ".spec.topology.version" },
] as const;
const OBJECT_COLUMNS = [
  { name: "Version", type: "string", jsonPath: ".status.version" },
  { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
] as const;

/** A definition that takes objects of any shape. */
const definitionOf = (resource: Resource): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: nameOf(resource),
    labels: { [PLAYED_LABEL]: "cluster-api", "app.kubernetes.io/part-of": "reveille" },
  },
  spec: {
    group: resource.group,
    scope: resource.scope,
    names: {
      kind: resource.kind,
      plural: resource.plural,
      singular: resource.kind.toLowerCase(),
      listKind: `${resource.kind}List`,
    },
    versions: [
      {
        name: resource.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: resource === CLUSTERS ? CLUSTER_COLUMNS : OBJECT_COLUMNS,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

/** True where the cluster has a Cluster API of its own, which nobody may play beside. */
export async function hasClusterApi(client: KubeClient): Promise<boolean> {
  const found = await client.get(CRDS, { name: nameOf(CLUSTERS) });
  return found !== undefined && found.metadata.labels?.[PLAYED_LABEL] === undefined;
}

/** Installs the kinds that are played. Those that are there, and are not ours, stay as they are. */
export async function bringKinds(client: KubeClient): Promise<void> {
  for (const resource of BROUGHT) {
    const place = { name: nameOf(resource) };
    const found = await client.get(CRDS, place);
    if (found !== undefined && found.metadata.labels?.[PLAYED_LABEL] === undefined) continue;
    await client.apply(CRDS, place, definitionOf(resource), { fieldManager: PLAYER, force: true });
  }
}
