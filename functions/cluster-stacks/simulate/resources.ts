import type { Resource } from "../../../shared/kube/client.ts";
import { parseApiVersion } from "../../../shared/kube/object.ts";

/** The field manager of everything that is played. */
export const PLAYER = "reveille-simulator";
/** The mark of what is installed to be played: where it is missing, somebody else's Cluster API runs. */
export const PLAYED_LABEL = "simulator.reveille.dev/played";

/** The version of Cluster API that is played. */
const VERSION = "v1beta1";
const namespaced = (group: string, kind: string, plural: string, version = VERSION): Resource => ({
  group,
  version,
  kind,
  plural,
  scope: "Namespaced",
});

export const CLUSTERS = namespaced("cluster.x-k8s.io", "Cluster", "clusters");
export const CLUSTER_CLASSES = namespaced("cluster.x-k8s.io", "ClusterClass", "clusterclasses");
export const EXTENSION_CONFIGS: Resource = {
  group: "runtime.cluster.x-k8s.io",
  version: "v1alpha1",
  kind: "ExtensionConfig",
  plural: "extensionconfigs",
  scope: "Cluster",
};

const PROVIDER = "infrastructure.clusterstack.x-k8s.io";
const INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";
const CONTROL_PLANE = "controlplane.cluster.x-k8s.io";

/** The release objects of the provider that is played. */
export const PROVIDER_RELEASES = namespaced(
  PROVIDER,
  "DockerClusterStackRelease",
  "dockerclusterstackreleases",
  "v1alpha1",
);

/** Its node images, each shared by the releases that own it. */
export const NODE_IMAGES = namespaced(
  PROVIDER,
  "DockerNodeImageRelease",
  "dockernodeimagereleases",
  "v1alpha1",
);

/** All kinds that are brought where nobody else has: Cluster API's, an infrastructure's without machines, and a provider's of images. */
export const BROUGHT: readonly Resource[] = [
  CLUSTERS,
  CLUSTER_CLASSES,
  EXTENSION_CONFIGS,
  namespaced(INFRASTRUCTURE, "DockerCluster", "dockerclusters"),
  namespaced(INFRASTRUCTURE, "DockerClusterTemplate", "dockerclustertemplates"),
  namespaced(CONTROL_PLANE, "KubeadmControlPlane", "kubeadmcontrolplanes"),
  namespaced(CONTROL_PLANE, "KubeadmControlPlaneTemplate", "kubeadmcontrolplanetemplates"),
  PROVIDER_RELEASES,
  NODE_IMAGES,
  namespaced(PROVIDER, "DockerClusterStackReleaseTemplate", "dockerclusterstackreleasetemplates", "v1alpha1"),
];

/** The resource of an object that a reference names, as the providers of Cluster API call theirs: the plural is the kind and an s. */
export function resourceOfReference(apiVersion: string, kind: string): Resource {
  const { group, version } = parseApiVersion(apiVersion);
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, scope: "Namespaced" };
}
