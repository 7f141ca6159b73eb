import type { ClusterState, Obj } from "../../../../shared/function/index.ts";
import type { CustomResourceDefinition } from "../../../../shared/kube/kinds/index.ts";
import type { KymaPolicy, RuntimeDefinition, RuntimeKyma } from "../../kinds/index.ts";
import type { PullSecret } from "./pull-secret.ts";
import type { RefusedRead } from "./refused-read.ts";

/** A definition of a kind: at home, and its copy in a runtime. */
export interface DefinitionPair {
  readonly name: string;
  /** Undefined: the control plane has none. */
  readonly home: Obj<typeof CustomResourceDefinition> | undefined;
  readonly there: Obj<typeof RuntimeDefinition> | undefined;
}

/** Everything that a decision about a runtime rests on. */
export type RuntimeWorld =
  /** Modules go into the control plane's own cluster: nothing is copied, and there is the namespace alone. */
  | { readonly step: "local"; readonly pullSecret: PullSecret | undefined }
  | { readonly step: "away"; readonly there: ClusterState }
  /** It answers, and does not say what is there. */
  | { readonly step: "refused"; readonly there: ClusterState; readonly refused: RefusedRead }
  | {
      readonly step: "there";
      readonly there: ClusterState;
      readonly definitions: readonly DefinitionPair[];
      readonly kyma: Obj<typeof RuntimeKyma> | undefined;
      /** Read where the Kyma in the runtime is to be made. */
      readonly policies: readonly Obj<typeof KymaPolicy>[];
      /** Undefined: none is configured. */
      readonly pullSecret: PullSecret | undefined;
    };
