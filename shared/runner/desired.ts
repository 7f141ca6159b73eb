import type { WrittenBody } from "../function/effects.ts";
import { TerminalError } from "../function/terminal-error.ts";
import type { AnyObject, Kind } from "../kube/kind.ts";
import { apiVersionOf, type KubeObject, type OwnerReference } from "../kube/object.ts";
import { unsealed } from "./unsealed.ts";

/** The owner reference to `owner`, controlling unless it is one of several. */
const ownerReference = (owner: AnyObject, controls: boolean): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...(controls && { controller: true, blockOwnerDeletion: true }),
});

/** True where the owner has a namespace and the object has none: the server takes such a reference for one to nothing. */
export const cannotBelong = (kind: Kind, owner: AnyObject | undefined): boolean =>
  kind.dynamic && kind.scope === "Cluster" && owner?.metadata.namespace !== undefined;

/** The body to apply or create: the author's fields, with the place and the owner filled in. */
export function desiredObject(
  kind: Kind,
  body: WrittenBody,
  owner: AnyObject | undefined,
  controls = true,
): KubeObject {
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
    ...unsealed(kind, fields),
    metadata: {
      name: metadata.name,
      ...(namespace !== undefined && { namespace }),
      ...(metadata.labels !== undefined && { labels: metadata.labels }),
      ...(metadata.annotations !== undefined && { annotations: metadata.annotations }),
      ...(owner !== undefined &&
        !cannotBelong(kind, owner) && { ownerReferences: [ownerReference(owner, controls)] }),
    },
  };
}

/** An object of a slot's as it is applied: with the owners and finalizers that were said, beside the owner of ours. */
export function appliedObject(
  kind: Kind,
  {
    body,
    owner,
    controller = true,
  }: {
    readonly body: WrittenBody;
    readonly owner?: AnyObject | undefined;
    readonly controller?: boolean | undefined;
  },
): KubeObject {
  const object = desiredObject(kind, body, owner, controller);
  if (!kind.dynamic) return object;
  const { ownerReferences = [], finalizers } = body.metadata;
  const mine = object.metadata.ownerReferences ?? [];
  const owners = [...ownerReferences.filter(({ uid }) => !mine.some((one) => one.uid === uid)), ...mine];
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(owners.length > 0 && { ownerReferences: owners }),
      ...(finalizers !== undefined && { finalizers }),
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
