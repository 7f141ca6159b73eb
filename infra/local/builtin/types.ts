import type { ResourceType } from "../resource-type.ts";
import { access } from "./access.ts";
import { apps } from "./apps.ts";
import { autoscaling } from "./autoscaling.ts";
import { batch } from "./batch.ts";
import { cluster } from "./cluster.ts";
import { configuration } from "./configuration.ts";
import { customResourceDefinition } from "./definitions.ts";
import { events } from "./events.ts";
import { lease } from "./leases.ts";
import { namespace } from "./namespaces.ts";
import { networking } from "./networking.ts";
import { pods } from "./pods.ts";
import { service } from "./services.ts";
import { storage } from "./storage.ts";

/** All built-in resource types, in the order of discovery: core group first, then by preference, names within sorted. */
export const builtInTypes: readonly ResourceType[] = sorted([
  namespace,
  service,
  lease,
  customResourceDefinition,
  ...access,
  ...apps,
  ...autoscaling,
  ...batch,
  ...cluster,
  ...configuration,
  ...events,
  ...networking,
  ...pods,
  ...storage,
]);

function sorted(types: readonly ResourceType[]): readonly ResourceType[] {
  const groups = [
    "",
    "apps",
    "events.k8s.io",
    "autoscaling",
    "batch",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
  ];
  return types.toSorted(
    (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || (a.plural < b.plural ? -1 : 1),
  );
}
