import type { AnyObject } from "../../../../shared/function/index.ts";

/** The label of every object that a release or an addon brings, as upstream sets it. */
export const OWNED_LABEL = "clusterstack.x-k8s.io/instance";
/** Its value. */
export const OWNED_VALUE = "owned";
/** The annotation that says which release an object belongs to: `namespace/name`. */
export const RELEASE_ANNOTATION = "reveille.dev/cluster-stack-release";

/** True for an object that this release brought, or upstream's operator did for it. */
export const isOf = ({ metadata }: AnyObject, release: string): boolean =>
  metadata.labels[OWNED_LABEL] === OWNED_VALUE &&
  (metadata.annotations[RELEASE_ANNOTATION] ?? release) === release;
