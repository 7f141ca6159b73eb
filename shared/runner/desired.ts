import type { WrittenBody } from "../function/effects.ts";
import { TerminalError } from "../function/terminal-error.ts";
import type { AnyObject, Kind } from "../kube/kind.ts";
import { apiVersionOf, type KubeObject, type OwnerReference } from "../kube/object.ts";

/** The controlling owner reference to `owner`. */
const controllerReference = (owner: AnyObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The body to apply or create: the author's fields, with the place and the owner filled in. */
export function desiredObject(kind: Kind, body: WrittenBody, owner: AnyObject | undefined): KubeObject {
  const { metadata, ...fields } = body;
  const namespace = kind.scope === "Cluster" ? undefined : (metadata.namespace ?? owner?.metadata.namespace);
  if (kind.scope === "Namespaced" && namespace === undefined)
    throw new TerminalError(
      `${kind.kind} ${metadata.name} needs a namespace: its owner ${owner?.kind ?? ""} has none, so name one in its metadata.`,
      { code: "NAMESPACE_MISSING" },
    );
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...fields,
    metadata: {
      name: metadata.name,
      ...(namespace !== undefined && { namespace }),
      ...(metadata.labels !== undefined && { labels: metadata.labels }),
      ...(metadata.annotations !== undefined && { annotations: metadata.annotations }),
      ...(owner !== undefined && { ownerReferences: [controllerReference(owner)] }),
    },
  };
}

/**
 * An object of a slot's as it is created: what was said is sent, nulls, empties, owners and finalizers included. Nobody here knows its
 * schema, so nobody can say which of them mean something.
 */
export function saidObject(kind: Kind, body: WrittenBody, owner: AnyObject | undefined): KubeObject {
  const object = desiredObject(kind, body, owner);
  const { ownerReferences = object.metadata.ownerReferences, finalizers } = body.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(ownerReferences !== undefined && { ownerReferences }),
      ...(finalizers !== undefined && { finalizers }),
    },
  };
}

/** The paths that a body sets, for the history: two levels below the top, no values. */
export function pathsOf(body: Readonly<Record<string, unknown>>): string[] {
  const paths: string[] = [];
  for (const [field, value] of Object.entries(body)) {
    if (field === "apiVersion" || field === "kind") continue;
    const inner =
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.keys(value).filter((name) => !["name", "namespace", "uid", "resourceVersion"].includes(name))
        : [];
    if (inner.length === 0 && field !== "metadata") paths.push(field);
    for (const name of inner.slice(0, 20)) paths.push(`${field}.${name}`);
  }
  return paths;
}
