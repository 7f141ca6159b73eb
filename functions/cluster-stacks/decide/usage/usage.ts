import {
  type ReleaseName,
  releaseOfClass,
  type StackName,
  sameRelease,
  sameStack,
  tagOf,
} from "../names/index.ts";

/** The class that a Cluster names: in its own namespace, or in the one that it says. */
export interface ClassPlace {
  readonly namespace: string;
  readonly name: string;
}

/** The part of a Cluster's topology that names its class, in either of its versions. */
interface Topology {
  readonly class?: string | undefined;
  readonly classNamespace?: string | undefined;
  readonly classRef?:
    | { readonly name?: string | undefined; readonly namespace?: string | undefined }
    | undefined;
}
/** A Cluster as far as it matters here. */
export interface ClusterOfClass {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: { readonly topology?: Topology | undefined } | undefined;
}
/** A ClusterAddon as far as it matters here. */
export interface AddonOfClass {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: { readonly clusterStack?: string | undefined } | undefined;
}

/** The class that a topology names; undefined where it names none. */
export function classPlace(topology: Topology | undefined, namespace: string): ClassPlace | undefined {
  const name = topology?.classRef?.name || topology?.class;
  if (!name) return undefined;
  return { name, namespace: topology?.classRef?.namespace || topology?.classNamespace || namespace };
}

/** The release that a class of this place belongs to, as its object is called; undefined where the class is of no stack. */
export function releasePlace(place: ClassPlace | undefined): ClassPlace | undefined {
  const release = place && releaseOfClass(place.name);
  return release && place && { name: tagOf(release), namespace: place.namespace };
}

/** A Cluster that names a class, or a ClusterAddon whose addons are of one. */
export interface User {
  readonly kind: "Cluster" | "ClusterAddon";
  readonly namespace: string;
  readonly name: string;
}
/** A user in words: `Cluster team-a/demo`. */
export const userText = ({ kind, namespace, name }: User): string => `${kind} ${namespace}/${name}`;

/** A release that somebody uses. */
export interface Use {
  readonly release: ReleaseName;
  /** The namespace of its class. */
  readonly namespace: string;
  readonly by: User;
}

/**
 * The releases in use: those whose class a Cluster names, wherever it is and also while it is being deleted, and those whose addons
 * are still installed. Classes that belong to no stack are nobody's business here.
 */
export function usesOf(clusters: readonly ClusterOfClass[], addons: readonly AddonOfClass[]): readonly Use[] {
  const byClusters = clusters.flatMap(({ metadata, spec }) => {
    const place = classPlace(spec?.topology, metadata.namespace);
    const { namespace, name } = metadata;
    return place === undefined ? [] : use(place, { kind: "Cluster", namespace, name });
  });
  const classNamespaces = new Map(
    clusters.map(({ metadata, spec }) => [
      `${metadata.namespace}/cluster-addon-${metadata.name}`,
      classPlace(spec?.topology, metadata.namespace)?.namespace,
    ]),
  );
  const byAddons = addons.flatMap(({ metadata, spec }) => {
    if (!spec?.clusterStack) return [];
    const { namespace, name } = metadata;
    // An addon says nothing of its class's namespace: it is that of its Cluster's class.
    const place = {
      name: spec.clusterStack,
      namespace: classNamespaces.get(`${namespace}/${name}`) ?? namespace,
    };
    return use(place, { kind: "ClusterAddon", namespace, name });
  });
  return [...byClusters, ...byAddons];
}

const use = ({ name, namespace }: ClassPlace, by: User): readonly Use[] => {
  const release = releaseOfClass(name);
  return release === undefined ? [] : [{ release, namespace, by }];
};

/** Those who use a release of that namespace. */
export const usersOf = (uses: readonly Use[], release: ReleaseName, namespace: string): readonly User[] =>
  uses.flatMap((one) => (one.namespace === namespace && sameRelease(one.release, release) ? [one.by] : []));

/** The releases of a stack that are in use. */
export const usedOf = (uses: readonly Use[], stack: StackName, namespace: string): readonly ReleaseName[] =>
  uses.flatMap((one) => (one.namespace === namespace && sameStack(one.release, stack) ? [one.release] : []));
