import type { KubeObject, OwnerReference } from "../../../../shared/kube/object.ts";
import type { Mode } from "../graph/index.ts";

/** The knowledge of the rules beside the manifest and the object. */
export interface ApplyContext {
  readonly mode: Mode;
  /** The ClusterVersion, which owns what the payload brings. Absent: no owner is written. */
  readonly owner?: Pick<OwnerReference, "apiVersion" | "kind" | "name" | "uid"> | undefined;
  /** The cluster's proxy as the status of `proxies/cluster` tells it; needed where `wantsProxy` is true. */
  readonly proxy?: ClusterProxy | undefined;
  /**
   * The field managers whose fields are the release's own: ours and those of the operators that we succeed. A field of another's,
   * where the manifest has the say, is taken away.
   */
  readonly fieldManagers: readonly string[];
}

export interface ClusterProxy {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: string | undefined;
}

/** The fault of a manifest or of its object. Without a reason it is an error like any other of its task. */
export interface ApplyFault {
  readonly reason?: "WorkloadNotAvailable" | "WorkloadNotProgressing";
  readonly message: string;
  /** The workload, as namespace/name. */
  readonly name?: string;
}

/** The one write that a manifest asks for. */
export type Write =
  /** `same`: already so. `create-only`: made once, never touched again. `not ours`: its own operator writes it. */
  | { readonly write: "none"; readonly because: "same" | "create-only" | "not ours" }
  | { readonly write: "create"; readonly body: KubeObject }
  /** A whole object, for a PUT: it carries uid and resourceVersion of the one that was read. */
  | {
      readonly write: "replace";
      readonly body: KubeObject;
      /** The differences, as paths without values: for logs and Events. */
      readonly differs: readonly string[];
    }
  | { readonly write: "refused"; readonly fault: ApplyFault };

/** The health of an object once the write is done. */
export type Health =
  | { readonly health: "good" }
  /** It is not ready yet: the task is not done, and nothing has failed. */
  | { readonly health: "waiting"; readonly message: string }
  | { readonly health: "bad"; readonly fault: ApplyFault };
