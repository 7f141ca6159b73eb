import type { ClusterState, Obj } from "../../../../shared/function/index.ts";
import type {
  ModuleReleaseMeta,
  ModuleTemplate,
  RuntimeRelease,
  RuntimeTemplate,
} from "../../kinds/index.ts";
import type { RefusedRead } from "../runtime/index.ts";

/** Everything that a decision about the catalog of a runtime rests on. */
export type CatalogWorld =
  /** Modules go into the control plane's own cluster: its catalog is there. */
  | { readonly step: "local" }
  /** The kinds of the catalog are not there yet. */
  | { readonly step: "early" }
  | { readonly step: "away"; readonly there: ClusterState }
  /** It answers, and does not say which copies are there. */
  | { readonly step: "refused"; readonly there: ClusterState; readonly refused: RefusedRead }
  | {
      readonly step: "there";
      readonly there: ClusterState;
      readonly releases: readonly Obj<typeof ModuleReleaseMeta>[];
      readonly templates: readonly Obj<typeof ModuleTemplate>[];
      /** The copies that were made before. */
      readonly copiedReleases: readonly Obj<typeof RuntimeRelease>[];
      readonly copiedTemplates: readonly Obj<typeof RuntimeTemplate>[];
    };
