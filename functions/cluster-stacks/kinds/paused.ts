import type { AnyObject } from "../../../shared/function/index.ts";

/** True for an object that Cluster API's annotation pauses, whatever its value. */
export const isPaused = ({ self }: { readonly self: AnyObject }): boolean =>
  "cluster.x-k8s.io/paused" in self.metadata.annotations;
