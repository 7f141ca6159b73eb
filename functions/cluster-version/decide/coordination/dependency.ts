/** The comparison of a published version with the one that is asked for. `AtLeast` compares semantic versions. */
export type Comparison = "Exact" | "AtLeast";

/**
 * A dependency: one operator waits until another one has settled at a version. Its consumer declares it, never the one it waits
 * for.
 */
export interface Dependency {
  /** The operator that waits: the name of its ClusterOperator. */
  readonly consumer: string;
  /** The operator that it waits for. */
  readonly operator: string;
  /** The operand whose version counts: `operator` for the release, or the name of an operand. Default: `operator`. */
  readonly operand?: string | undefined;
  readonly version: string;
  /** Default: `Exact`, byte for byte. */
  readonly comparison?: Comparison | undefined;
}

/** The part of a ClusterOperator that is read; an object as the API server gives it fits. */
export interface Operator {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly status?:
    | {
        readonly conditions?: readonly OperatorCondition[] | undefined;
        readonly versions?: readonly { readonly name: string; readonly version: string }[] | undefined;
      }
    | undefined;
}
export interface OperatorCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
}

/** `kube-apiserver 5.2.0`, or `kube-apiserver (etcd >= 3.5.0)`: as messages name what is waited for. */
export function wanted({ operator, operand = "operator", version, comparison }: Dependency): string {
  const bound = comparison === "AtLeast" ? `>= ${version}` : version;
  return operand === "operator" ? `${operator} ${bound}` : `${operator} (${operand} ${bound})`;
}
