import { conditionEquals, isFalse, isTrue, type Stated } from "../../../shared/kube/conditions.ts";

/** The part of a ClusterOperator that is read: raw JSON fits. */
export interface OperatorLike {
  readonly status?:
    | {
        readonly conditions?: readonly Stated[] | undefined;
        readonly versions?: readonly { readonly name: string; readonly version: string }[] | undefined;
      }
    | undefined;
}

/** The part of a ClusterVersion that is read: raw JSON fits. */
export interface ClusterVersionLike {
  readonly metadata: { readonly generation?: number | undefined };
  readonly status?:
    | {
        readonly conditions?: readonly Stated[] | undefined;
        readonly observedGeneration?: number | undefined;
        readonly desired?: { readonly image?: string | undefined } | undefined;
        readonly history?: readonly { readonly state: string; readonly image: string }[] | undefined;
      }
    | undefined;
}

/**
 * True where a component has settled and is well: Available is True, Progressing False and Degraded False, each of them said. It
 * says nothing about the version; ask `atVersion` of the same read.
 */
export const done = ({ status }: OperatorLike): boolean =>
  isTrue(status?.conditions, "Available") &&
  isFalse(status?.conditions, "Progressing") &&
  isFalse(status?.conditions, "Degraded");

/** True where the first version of that name is exactly this text. */
export const atVersion = ({ status }: OperatorLike, name: string, version: string): boolean =>
  status?.versions?.find((entry) => entry.name === name)?.version === version;

/** True where a cluster has arrived where its spec wants it, and is well: the spec's present generation, not one before. */
export function clusterVersionDone({ metadata, status }: ClusterVersionLike): boolean {
  const newest = status?.history?.[0];
  return (
    conditionEquals(status?.conditions, "Available", "True") &&
    conditionEquals(status?.conditions, "Progressing", "False") &&
    conditionEquals(status?.conditions, "Failing", "False") &&
    status?.observedGeneration !== undefined &&
    status.observedGeneration === metadata.generation &&
    newest?.state === "Completed" &&
    newest.image === status.desired?.image
  );
}
