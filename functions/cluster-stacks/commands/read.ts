import { askedOf, listAll } from "../../../shared/function/asking.ts";
import { whereKnown } from "../../../shared/function/known.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import type { Obj } from "../../../shared/kube/kind.ts";
import { Cluster, ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";

export type AStack = Obj<typeof ClusterStack>;
export type ARelease = Obj<typeof ClusterStackRelease>;
export type AnAddon = Obj<typeof ClusterAddon>;
export type ACluster = Obj<typeof Cluster>;

/** The objects that the commands look at. Clusters and their addons are those of all namespaces: any may use a class. */
export interface Landscape {
  readonly stacks: readonly AStack[];
  readonly releases: readonly ARelease[];
  readonly clusters: readonly ACluster[];
  readonly addons: readonly AnAddon[];
}

/** Runs a request; a cluster without the kinds is told how it gets them. */
export const asked = askedOf({
  code: "CLI_STACK_KINDS_MISSING",
  kinds: "ClusterStacks",
  crds: "reveille crds --systems cluster-stacks",
});

/** Reads the stacks of a namespace, or of all, with everything that has to do with them. */
export async function landscapeOf(client: KubeClient, namespace?: string): Promise<Landscape> {
  const [stacks, releases, addons, clusters] = await Promise.all([
    asked(() => listAll(client, ClusterStack, namespace)),
    asked(() => listAll(client, ClusterStackRelease, namespace)),
    asked(() => listAll(client, ClusterAddon)),
    whereKnown(() => listAll(client, Cluster)),
  ]);
  return { stacks, releases, clusters, addons };
}
