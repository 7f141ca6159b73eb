import type { Said } from "../../../../shared/function/index.ts";
import type { ConfigMap } from "../../../../shared/kube/kinds/index.ts";
import type { Workflow } from "../../kinds/index.ts";
import { managedConfigMapOf, userConfigMapOf } from "./managed-properties.ts";

/** The workflow whose user keeps properties in this ConfigMap, also where it was made before the workflow and has no owner. */
export function workflowOfProperties({ name, namespace }: Said<typeof ConfigMap>) {
  const suffix = userConfigMapOf("");
  if (!name.endsWith(suffix) || name.endsWith(managedConfigMapOf(""))) return undefined;
  return { name: name.slice(0, -suffix.length), namespace };
}

/** True for a workflow of that name elsewhere which is not older: only the younger of two is warned of the other. */
export const isYoungerNamesake = (
  self: Workflow,
  { name, namespace, created }: Said<typeof Workflow>,
): boolean =>
  self.metadata.name === name &&
  self.metadata.namespace !== namespace &&
  (created === undefined || self.metadata.creationTimestamp >= created);

/** True where a workflow took up, changed or gave up its Data Index. */
export const usesOtherDataIndex = ({ dataIndex, was, gone }: Said<typeof Workflow>): boolean =>
  gone ? dataIndex !== undefined : dataIndex !== was?.dataIndex;
