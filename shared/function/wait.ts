import type { ClusterReference } from "../kube/cluster-names.ts";

/** A thing that is missing, in words. With `object`, that object's next change runs the key again. */
export interface Wait {
  readonly for: string;
  readonly object?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string | undefined;
    /** The cluster that it lies in, by `named` of its `defineClusters`; absent: at home. */
    readonly cluster?: ClusterReference | undefined;
  };
}
