import type { SyncedObject } from "../../kinds/index.ts";
import { GROUPS } from "./groups.ts";

/** The kinds that objects of others need to be taken down in order: they go last. */
const LAST: Readonly<Record<string, readonly string[]>> = {
  "": ["Namespace", "ServiceAccount", "Service"],
  [GROUPS.definitions]: ["CustomResourceDefinition"],
  [GROUPS.rights]: ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"],
  [GROUPS.workloads]: ["Deployment", "StatefulSet", "DaemonSet"],
};

/** True for what goes in the second wave: the operator, its rights, and what holds others' objects. */
export const goesLast = ({ group, kind }: Pick<SyncedObject, "group" | "kind">): boolean =>
  LAST[group]?.includes(kind) ?? false;

/** Those of the objects that go now: the first wave as long as there is any of it. */
export function nextWave<One extends { readonly entry: Pick<SyncedObject, "group" | "kind"> }>(
  objects: readonly One[],
): readonly One[] {
  const first = objects.filter(({ entry }) => !goesLast(entry));
  return first.length > 0 ? first : objects;
}
