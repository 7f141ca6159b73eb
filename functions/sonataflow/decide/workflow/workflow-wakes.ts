import type { Said } from "../../../../shared/function/index.ts";
import type { ConfigMap } from "../../../../shared/kube/kinds/index.ts";
import { managedConfigMapOf, userConfigMapOf } from "./managed-properties.ts";

/** The workflow whose user keeps properties in this ConfigMap, also where it was made before the workflow and has no owner. */
export function workflowOfProperties({ name, namespace }: Said<typeof ConfigMap>) {
  const suffix = userConfigMapOf("");
  if (!name.endsWith(suffix) || name.endsWith(managedConfigMapOf(""))) return undefined;
  return { name: name.slice(0, -suffix.length), namespace };
}
