import type { AnyObject } from "../../../shared/function/index.ts";

const ANNOTATION = "cluster.x-k8s.io/paused";

/** True for an object that Cluster API's annotation pauses, whatever its value. */
export const isPaused = ({ self }: { readonly self: AnyObject }): boolean =>
  ANNOTATION in self.metadata.annotations;

/** True for a Cluster that is paused, by its spec or by the annotation: all that belongs to it is left alone. */
export const isPausedCluster = (
  cluster: AnyObject & { readonly spec?: { readonly paused?: boolean | undefined } | undefined },
): boolean => cluster.spec?.paused === true || cluster.metadata.annotations[ANNOTATION] !== undefined;
