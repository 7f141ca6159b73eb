import { ReveilleError } from "../errors.ts";
import type { Resource } from "./client.ts";
import { LABEL_VALUE } from "./label-value.ts";

/** The Secret that holds a cluster's kubeconfig. */
export type ClusterSecret =
  /** The only Secret in the namespace whose label has the cluster's name as its value. */
  | { readonly namespace: string; readonly label: string; readonly key: string }
  /** `<name><suffix>` in the namespace of the cluster's name, which is `<namespace>/<name>`. */
  | { readonly suffix: string; readonly key: string };

/** An object in each of other clusters that says whose it is. */
export interface ClusterMark {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  /** Holds `<namespace>/<name>` of whom the cluster belongs to. Without it, or without the object, it is free. */
  readonly annotation: string;
}

/** Other clusters as plain data. */
export interface ClustersStatics {
  /** The name of them all, in lower case: `runtime`. */
  readonly id: string;
  readonly secret: ClusterSecret;
  /** A cluster that bears somebody else's mark is not used. Absent: none bears one. */
  readonly mark?: ClusterMark | undefined;
}

/** One of other clusters, as waits, events and the history name it: `@runtime:rt-4711`. */
export type ClusterReference = `@${string}:${string}`;

/** A name that no cluster can have, or a declaration of clusters that cannot be. */
export class ClusterNameError extends ReveilleError {}

const LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
export const CLUSTERS_ID = /^[a-z][-a-z0-9]{0,31}$/;
const BY_PLACE = new RegExp(`^${LABEL}/${LABEL}(\\.${LABEL})*$`);
/** The most that a name of a Connection, and so of a cluster, may take. */
const MOST = 253;

/** The reference to one of other clusters. Throws a `ClusterNameError`. */
export function referenceOf({ id, secret }: ClustersStatics, cluster: string): ClusterReference {
  const byLabel = "label" in secret;
  if (!(byLabel ? LABEL_VALUE : BY_PLACE).test(cluster) || id.length + 1 + cluster.length > MOST)
    throw new ClusterNameError(
      "CLUSTER_NAME",
      `"${cluster.slice(0, 300)}" names no ${id} cluster: its name is ${
        byLabel
          ? `the value of the label ${secret.label} on its Secret`
          : "<namespace>/<name>, by which its Secret is found"
      }.`,
    );
  // Neither namespaces nor names hold a colon, and no part of a key a slash.
  return `@${id}:${cluster.replace("/", ":")}`;
}

/** The cluster and its name that a reference was made of; undefined for a text that is none. */
export function parseReference(
  reference: string,
): { readonly id: string; readonly cluster: string } | undefined {
  const [, id, first, rest] = /^@([^:/@]+):([^:/@]+)(?::([^:/@]+))?$/.exec(reference) ?? [];
  if (id === undefined || first === undefined) return undefined;
  return { id, cluster: rest === undefined ? first : `${first}/${rest}` };
}

/** The reference to the cluster of an object; undefined for one at home. */
export const clusterOf = (
  kind: { readonly clusters?: ClustersStatics | undefined },
  { cluster }: { readonly cluster?: string | undefined },
): ClusterReference | undefined =>
  kind.clusters === undefined ? undefined : referenceOf(kind.clusters, cluster ?? "");

/** Stands before a reference on the bus; no home is named so. */
const ELSEWHERE = "@@";

/** A cluster as the bus names it: the home's name, and for another one its reference behind that. */
export const clusterOnBus = (home: string, reference: ClusterReference | undefined): string =>
  reference === undefined ? home : `${home}@${reference}`;

/** The reference in a cluster's name on the bus; undefined for a home's. */
export function elsewhereOnBus(cluster: string): ClusterReference | undefined {
  const at = cluster.lastIndexOf(ELSEWHERE);
  const reference = cluster.slice(at + 1);
  return at < 0 || parseReference(reference) === undefined ? undefined : (reference as ClusterReference);
}

/** The home in a cluster's name on the bus. */
export const homeOnBus = (cluster: string): string =>
  elsewhereOnBus(cluster) === undefined ? cluster : cluster.slice(0, cluster.lastIndexOf(ELSEWHERE));

const GROUP = "reveille.dev";

/** The version of the pseudo-objects. */
const VERSION = "v1";

/** Stand for the version of a connection in the wait of a key that found the cluster so: that it is so is no news for it. */
const FOUND_AWAY = {
  unreachable: "unreachable",
  "no secret": "no-secret",
  "several secrets": "several-secrets",
} as const;

/**
 * The connection to one of other clusters as pseudo-objects that keys wait for: no server holds them. Whoever found the cluster away waits
 * for its connection, and hears when it is there (`dependency.ready`), or away in another way. Whoever found it there waits for the
 * connection's loss (`dependency.lost`).
 */
const connectionKinds = { connection: "Connection", loss: "Disconnection" } as const;

/** The news that a pseudo-object of a connection tells: that it is there, or that it is lost. */
export type ConnectionNews = keyof typeof connectionKinds;

/** The news of a connection: it is there, it is lost, or it is away in another way than whoever waits for it found. */
export type ConnectionWord = "there" | "lost" | "otherwise";

/** The news that an event of this type about one of the pseudo-objects tells. */
export const connectionWord = ({ kind }: Pick<AwaitedConnection, "kind">, type: string): ConnectionWord => {
  if (type === "dependency.ready") return "there";
  return kind === connectionKinds.loss ? "lost" : "otherwise";
};

/** The states in which a cluster is found. */
export type FoundState = "reachable" | keyof typeof FOUND_AWAY;

/** The pseudo-object that tells of a cluster's connection. */
export const connectionTelling = (
  reference: ClusterReference,
  tells: ConnectionNews,
): { readonly group: string; readonly version: string; readonly kind: string; readonly name: string } => ({
  group: GROUP,
  version: VERSION,
  kind: connectionKinds[tells],
  name: reference.slice(1),
});

/** The pseudo-object that tells whoever found a cluster so when that is no longer so, as a wait names it. */
export function connectionObject(
  reference: ClusterReference,
  found: FoundState,
): { readonly apiVersion: string; readonly kind: string; readonly name: string } {
  const { kind, name } = connectionTelling(reference, found === "reachable" ? "loss" : "connection");
  return { apiVersion: `${GROUP}/${found === "reachable" ? VERSION : FOUND_AWAY[found]}`, kind, name };
}

/** The state in which whoever waits for a connection found the cluster; undefined where the wait does not tell. */
export function foundIn({ kind, version }: AwaitedConnection): FoundState | undefined {
  if (kind === connectionKinds.loss) return "reachable";
  return (Object.keys(FOUND_AWAY) as (keyof typeof FOUND_AWAY)[]).find(
    (state) => FOUND_AWAY[state] === version,
  );
}

/** The cluster that a pseudo-object is the connection to; undefined for any other object. */
export const connectionIn = (object: AwaitedConnection): ClusterReference | undefined =>
  object.group === GROUP &&
  (object.kind === connectionKinds.connection || object.kind === connectionKinds.loss) &&
  parseReference(`@${object.name}`) !== undefined
    ? (`@${object.name}` as ClusterReference)
    : undefined;

/** The same object without a word of how whoever waits found it: whoever cannot know whether that still holds is told what is so. */
export const foundAnyhow = <O extends AwaitedConnection>(object: O): O =>
  connectionIn(object) === undefined ? object : { ...object, version: VERSION };

interface AwaitedConnection {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly version?: string | undefined;
}
