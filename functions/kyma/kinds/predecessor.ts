import type { Predecessor } from "../../../shared/function/index.ts";
import { GROUP } from "./labels.ts";

/** The field managers under which upstream's operator writes. */
export const PREDECESSOR_MANAGERS: readonly string[] = [
  "lifecycle-manager",
  `${GROUP}/lifecycle-manager`,
  "declarative.kyma-project.io/applier",
  "catalog-sync",
  "kyma-sync-context",
  "resource.kyma-project.io/finalizer",
];

/** The upstream operator of these kinds. */
export const PREDECESSORS: readonly Predecessor[] = [
  { name: "lifecycle-manager", labelSelector: "app.kubernetes.io/name=lifecycle-manager" },
];
