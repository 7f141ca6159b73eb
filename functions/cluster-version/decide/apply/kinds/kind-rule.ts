import type { Fields } from "../../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../../shared/kube/object.ts";
import type { ApplyContext, ApplyFault } from "../verdict.ts";

/** The circumstances that a rule may ask about beside the two bodies. */
export interface Circumstances {
  readonly manifest: KubeObject;
  readonly live: KubeObject;
  readonly context: ApplyContext;
}

/** The rule by which the manifests of one kind are applied. A body is an object without apiVersion, kind, metadata and status. */
export interface KindRule {
  /** The treatment of labels and annotations that the manifest does not list. */
  readonly others: "stay" | "go";
  /** A body with the defaults of the server; asked for both sides, so that they can be compared. */
  readonly complete: (body: Fields) => Fields;
  /** The body that shall be, from the two completed ones. */
  readonly shall: (wanted: Fields, there: Fields, about: Circumstances) => Fields;
  /** The manifest's body as it is sent, where it does not do as it stands. */
  readonly sent?: (body: Fields) => Fields;
  /** A manifest that must not be applied. */
  readonly refuse?: (manifest: KubeObject) => ApplyFault | undefined;
  /** True where the object is left to its operator for now; an absent one is made all the same. */
  readonly leaves?: (context: ApplyContext) => boolean;
}
