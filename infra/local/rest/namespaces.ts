import { forbidden, notFound } from "../api-error.ts";
import { INITIAL_NAMESPACES, namespaceNamed } from "../builtin/index.ts";
import { isObject } from "../json.ts";
import { type Kernel, load } from "../kernel.ts";
import type { ApiObject, ResourceType, Strategy } from "../resource-type.ts";

const namespaces = { group: "", plural: "namespaces" };

/** Namespaces that a cluster cannot do without. */
const KEPT = new Set(["default", "kube-public", "kube-system"]);

/** Beside what the kind declares: a deleted namespace stays, terminating, until who empties it takes `kubernetes` out of `spec.finalizers`. */
export const namespaceStrategy: Strategy = {
  holdsDeletion: ({ spec }) => isObject(spec) && Array.isArray(spec.finalizers) && spec.finalizers.length > 0,
  prepareForDelete(object) {
    if (KEPT.has(object.metadata.name))
      throw forbidden(namespaces, object.metadata.name, "this namespace may not be deleted");
    delete object.metadata.deletionGracePeriodSeconds;
    object.status = { ...(isObject(object.status) ? object.status : {}), phase: "Terminating" };
  },
};

/** Refuses to create in a namespace that is missing or going. */
export function requireNamespace(kernel: Kernel, type: ResourceType, namespace: string, name: string): void {
  const home = kernel.registry.find("", "v1", "namespaces");
  const found = home === undefined ? undefined : load(kernel, home, undefined, namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  throw forbidden(
    type,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: "NamespaceTerminating",
        message: `namespace ${namespace} is being terminated`,
        field: "metadata.namespace",
      },
    ],
  );
}

/** The namespaces that every cluster has. */
export function makeFirstNamespaces(
  kernel: Kernel,
  home: ResourceType,
  create: (type: ResourceType, object: ApiObject) => void,
): void {
  for (const name of INITIAL_NAMESPACES) {
    if (load(kernel, home, undefined, name) === undefined) create(home, namespaceNamed(name));
  }
}
