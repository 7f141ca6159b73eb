import { DeclarationError } from "../function/system.ts";
import type { UsedCluster } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import {
  type ClusterReference,
  type ClustersStatics,
  type ConnectionWord,
  referenceOf,
} from "../kube/cluster-names.ts";
import type { Kind } from "../kube/kind.ts";

/** The other clusters of a process, as runs use them. */
export interface Others {
  /** One of these clusters. Throws a `ClusterNameError`. */
  at(clusters: ClustersStatics, cluster: string): Pick<UsedCluster, "client" | "look" | "isSlow">;
  /** Takes note of what somebody else found at that time, in milliseconds since the epoch. */
  heard(reference: ClusterReference, word: ConnectionWord, at: number): void;
  /** A limit for one of them, in milliseconds: longer where all are slow to answer. */
  limit(milliseconds: number): number;
}

/** The same clusters, each with another client made of its own: once, and anew where it was let go meanwhile. */
export function othersThrough(
  others: Others,
  around: (client: KubeClient, reference: ClusterReference) => KubeClient,
): Others {
  const known = new Map<ClusterReference, { readonly own: KubeClient; readonly client: KubeClient }>();
  return {
    at(clusters, cluster) {
      const reference = referenceOf(clusters, cluster);
      const used = others.at(clusters, cluster);
      const own = used.client;
      const before = known.get(reference);
      const one = before?.own === own ? before : { own, client: around(own, reference) };
      known.set(reference, one);
      return { client: one.client, look: () => used.look(), isSlow: used.isSlow };
    },
    heard: (reference, word, at) => others.heard(reference, word, at),
    limit: (milliseconds) => others.limit(milliseconds),
  };
}

/** The clients of who runs functions, by the place of the object. */
export interface Clients {
  /** The home's. */
  readonly client: KubeClient;
  /** Absent: nothing here reaches other clusters. */
  readonly others?: Others | undefined;
}

/** The client for objects of a kind in that cluster. Throws a `ClusterNameError`. */
export function clientAt(
  { client, others }: Clients,
  kind: Pick<Kind, "id" | "clusters">,
  cluster: string | undefined,
): KubeClient {
  if (kind.clusters === undefined) return client;
  if (others === undefined)
    throw new DeclarationError(
      "DECLARATION_CLUSTERS",
      `${kind.id} lies in other clusters, which nothing here reaches: leave it out, or let it be run by a host.`,
    );
  return others.at(kind.clusters, cluster ?? "").client;
}
