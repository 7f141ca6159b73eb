import type { ClusterState, Obj } from "../../../../shared/function/index.ts";
import type { Secret } from "../../../../shared/kube/kinds/index.ts";
import type {
  CertificateObject,
  Manifest,
  RuntimeDefinition,
  RuntimeKyma,
  RuntimeObject,
} from "../../kinds/index.ts";
import type { RefusedRead } from "../runtime/index.ts";

/** The runtime of a Kyma that is being deleted, as far as something is left in it. */
export type LeftThere =
  /** There is none, or none that was ever written to. */
  | { readonly state: "none" }
  /** Nothing is known of it: nothing may be concluded. */
  | { readonly state: "away"; readonly there: ClusterState }
  /** It answers, and does not say what is left. */
  | { readonly state: "refused"; readonly there: ClusterState; readonly refused: RefusedRead }
  | {
      readonly state: "there";
      readonly cluster: string;
      readonly kyma: Obj<typeof RuntimeKyma> | undefined;
      /** The program that tells of changes, and what belongs to it. */
      readonly program: readonly Obj<typeof RuntimeObject>[];
      /** In the order in which they go. */
      readonly definitions: readonly Obj<typeof RuntimeDefinition>[];
    };

/** Everything that the deletion of a Kyma rests on. */
export interface DeletionWorld {
  readonly manifests: readonly Obj<typeof Manifest>[];
  readonly left: LeftThere;
  readonly certificate: CertificateLeft;
}

/** The certificate of a runtime, as far as something of it is left. */
export interface CertificateLeft {
  /** The object by which others make it: it goes first, or they would make the Secret anew. */
  readonly described?: Obj<typeof CertificateObject> | undefined;
  readonly secret?: Obj<typeof Secret> | undefined;
}
