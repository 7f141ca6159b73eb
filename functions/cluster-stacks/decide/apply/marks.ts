import type { AnyObject } from "../../../../shared/function/index.ts";

/** The label of every object that a release or an addon brings, as upstream sets it. */
export const OWNED_LABEL = "clusterstack.x-k8s.io/instance";
/** Its value. */
export const OWNED_VALUE = "owned";
/** The mark that says whose an object is: an annotation, and `namespace/name` as its value. */
export interface Mark {
  readonly annotation: string;
  readonly of: string;
}
interface Marking {
  readonly metadata: { readonly namespace: string; readonly name: string };
}
/** The mark of a release's objects. */
export const releaseMark = ({ metadata: { namespace, name } }: Marking): Mark => ({
  annotation: "reveille.dev/cluster-stack-release",
  of: `${namespace}/${name}`,
});
/** The mark of a ClusterAddon's objects: it says nothing of the release, so that an upgrade leaves alone what is the same. */
export const addonMark = ({ metadata: { namespace, name } }: Marking): Mark => ({
  annotation: "reveille.dev/cluster-addon",
  of: `${namespace}/${name}`,
});

/** True for an object that bears this mark, or that upstream's operator made. */
export const isOf = ({ metadata }: AnyObject, { annotation, of }: Mark): boolean =>
  metadata.labels[OWNED_LABEL] === OWNED_VALUE && (metadata.annotations[annotation] ?? of) === of;
