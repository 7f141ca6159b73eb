import type { Predecessor } from "../../../shared/function/index.ts";
import { GROUP } from "./labels.ts";

/** The field managers under which upstream's operator writes what it decides about Kymas: their Manifests and their statuses. */
export const PREDECESSOR_KYMA_MANAGERS: readonly string[] = [
  "lifecycle-manager",
  `${GROUP}/lifecycle-manager`,
];
/** The field managers under which it writes. */
export const PREDECESSOR_MANAGERS: readonly string[] = [
  ...PREDECESSOR_KYMA_MANAGERS,
  "declarative.kyma-project.io/applier",
  "catalog-sync",
  "kyma-sync-context",
  "resource.kyma-project.io/finalizer",
];

/** The upstream operator of these kinds. */
export const PREDECESSORS: readonly Predecessor[] = [
  { name: "lifecycle-manager", labelSelector: "app.kubernetes.io/name=lifecycle-manager" },
];
