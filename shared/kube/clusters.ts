import {
  CLUSTERS_ID,
  type ClusterMark,
  ClusterNameError,
  type ClusterReference,
  type ClusterSecret,
  type ClustersStatics,
  referenceOf,
} from "./cluster-names.ts";
import type { Kind, KindClass, Shape, ShapeOf, Slot } from "./kind.ts";

/** Other clusters, each reached by the kubeconfig in a Secret of this one. */
export interface Clusters<Id extends string = string> extends ClustersStatics {
  readonly id: Id;
  /** The same kind in these clusters: its objects cannot be named without their cluster. They are read, written and waited for. */
  kind<K extends Kind>(kind: K & AtHome<K>): ElsewhereClass<Id, K>;
  /** A cluster as a wait names it. */
  named(cluster: string): ClusterReference;
}

/** The compiler's message where only a kind of the cluster itself will do. */
export type AtHome<K extends Kind> = ShapeOf<K>["place"] extends "home"
  ? unknown
  : {
      readonly "this kind lies in other clusters: its objects are read, written and waited for (awaited), and neither key, child nor wake": K["id"];
    };

/** The cluster of an object of that kind: none at home, one elsewhere. */
export type InCluster<K extends Kind> = ShapeOf<K>["place"] extends "home"
  ? { readonly cluster?: never }
  : { readonly cluster: string };

/** The types of a kind in other clusters: those of the kind, but for the place. */
export interface ElsewhereShape<S extends Shape, Id extends string> {
  scope: S["scope"];
  place: Id;
  external: S["external"];
  body: S["body"];
  input: S["input"];
  status: S["status"];
  facts: S["facts"];
  engine: S["engine"];
}
/** The class of a kind in other clusters. */
export type ElsewhereClass<Id extends string, K extends Kind> = KindClass<
  `${Id}/${K["id"]}`,
  ElsewhereShape<ShapeOf<K>, Id>
> &
  (K extends Slot ? { readonly dynamic: true } : unknown);

/**
 * Declares other clusters, which are reached by kubeconfigs in Secrets of this one. Functions name the cluster and never see the Secret.
 *
 * @example
 * ```ts
 * import { apply, awaited, defineClusters, each } from "reveille";
 * import { ConfigMap } from "reveille/kinds";
 * import { Widget } from "./kinds.ts";
 *
 * const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });
 * class PlantMap extends plants.kind(ConfigMap) {}
 *
 * export const deliver = each(Widget).function({
 *   name: "deliver",
 *   writes: [awaited(PlantMap, "followed while a Widget waits for one")],
 *   observe: async ({ self, read }) => ({ there: await read.cluster(plants, `${self.metadata.namespace}/one`) }),
 *   reconcile: ({ self, there }) =>
 *     there.state === "reachable"
 *       ? {
 *           effects: apply(PlantMap, {
 *             metadata: { cluster: there.cluster, namespace: "default", name: self.metadata.name },
 *             data: { message: self.spec.message },
 *           }),
 *         }
 *       : { waitingFor: [there.wait] },
 * });
 * ```
 */
export function defineClusters<const Id extends string>(
  id: Id,
  { secret, mark }: { readonly secret: ClusterSecret; readonly mark?: ClusterMark },
): Clusters<Id> {
  if (!CLUSTERS_ID.test(id) || id === "home")
    throw new ClusterNameError(
      "CLUSTER_NAME",
      `"${id}" cannot name other clusters: use lower case letters, digits and dashes, at most 32, and not "home".`,
    );
  const statics: ClustersStatics = { id, secret, ...(mark !== undefined && { mark }) };
  return {
    ...statics,
    id,
    kind<K extends Kind>(kind: K & AtHome<K>) {
      // Statics are read through the prototype, as those of a class that extends another.
      const elsewhere = Object.assign(class extends (kind as unknown as new () => object) {}, {
        id: `${id}/${kind.id}`,
        place: id,
        clusters: statics,
      });
      // As for every kind, the class only names its type.
      return elsewhere as unknown as ElsewhereClass<Id, K>;
    },
    named: (cluster) => referenceOf(statics, cluster),
  };
}
