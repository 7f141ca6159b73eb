import * as z from "zod";
import { installCrd } from "../../../infra/testing/install-crds.ts";
import { defineKind } from "../../../shared/function/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { Cluster, ClusterClass } from "../kinds/index.ts";

const loose = { spec: z.record(z.string(), z.unknown()).optional() };
const status = z.record(z.string(), z.unknown());

/** A template that the sample chart of a ClusterClass brings. */
export class DockerClusterTemplate extends defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1beta1",
  kind: "DockerClusterTemplate",
  scope: "Namespaced",
  external: true,
  fields: loose,
}) {}

/** The infrastructure of a workload cluster. */
export class DockerCluster extends defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1beta1",
  kind: "DockerCluster",
  scope: "Namespaced",
  external: true,
  fields: loose,
  status,
}) {}

/** The template of upstream's test provider. */
export class ProviderTemplate extends defineKind({
  group: "infrastructure.clusterstack.x-k8s.io",
  version: "v1alpha1",
  kind: "TestInfrastructureProviderClusterStackReleaseTemplate",
  scope: "Namespaced",
  external: true,
  fields: loose,
}) {}

/** The object that upstream's test provider makes of it. */
export class ProviderRelease extends defineKind({
  group: "infrastructure.clusterstack.x-k8s.io",
  version: "v1alpha1",
  kind: "TestInfrastructureProviderClusterStackRelease",
  scope: "Namespaced",
  external: true,
  fields: loose,
  status,
}) {}

/** The kinds that others would have installed. */
export const FOREIGN: readonly Kind[] = [
  Cluster,
  ClusterClass,
  DockerClusterTemplate,
  DockerCluster,
  ProviderTemplate,
  ProviderRelease,
];

const VERSION = "v1beta1";
const versionOf = (kind: Kind): string => (kind.versions.includes(VERSION) ? VERSION : kind.version);

/** The CRD of a kind that takes anything. */
const crdFor = (kind: Kind): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.plural}.${kind.group}` },
  spec: {
    group: kind.group,
    names: { kind: kind.kind, plural: kind.plural, singular: kind.singular, listKind: `${kind.kind}List` },
    scope: kind.scope,
    versions: [
      {
        name: versionOf(kind),
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

/** Installs a kind that is somebody else's, as a CRD that takes anything. */
export const installForeign = (client: KubeClient, kind: Kind): Promise<void> => {
  const { versions: _, ...resource } = resourceOf(kind);
  return installCrd(client, crdFor(kind), { ...resource, version: versionOf(kind) });
};
