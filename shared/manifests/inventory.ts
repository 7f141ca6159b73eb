import { textOf } from "../json/fields.ts";
import { type KubeObject, parseApiVersion } from "../kube/object.ts";

/** An object by what it is, whatever the version that it was written in: a record of what was applied holds these. */
export interface ObjectIdentity {
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** One text for each object: two identities are the same object where this is the same. */
export const identityKey = ({ group = "", kind = "", namespace = "", name = "" }: ObjectIdentity): string =>
  JSON.stringify([group, kind, namespace, name]);

/** The identity of an object, with its version. */
export const identityOfObject = ({ apiVersion, kind, metadata }: KubeObject) => {
  const { group, version } = parseApiVersion(apiVersion);
  const namespace = textOf(metadata.namespace);
  return { group, version, kind, ...(namespace !== "" && { namespace }), name: metadata.name };
};

const wideKey = (one: ObjectIdentity): string => identityKey({ ...one, namespace: "" });

/**
 * Those of `some` that are not among `others`. An entry without a namespace is of a kind that has none: it is the same object as one of
 * its name with a namespace, which was recorded while nobody knew that kind yet.
 */
export function without<One extends ObjectIdentity>(
  some: readonly One[],
  others: readonly ObjectIdentity[],
): readonly One[] {
  const known = new Set(others.map(identityKey));
  const names = new Set(others.map(wideKey));
  return some.filter((one) => {
    const wide = wideKey(one);
    return (
      !known.has(identityKey(one)) && !known.has(wide) && !(identityKey(one) === wide && names.has(wide))
    );
  });
}

/** Kinds that hold what others put there: none of their objects goes because a list no longer names it. */
const KEPT: readonly (readonly [group: string, kind: string])[] = [
  ["", "Namespace"],
  ["", "PersistentVolume"],
  ["", "PersistentVolumeClaim"],
  ["apiextensions.k8s.io", "CustomResourceDefinition"],
];
/** Helm's way to say that an object stays. */
const POLICY = "helm.sh/resource-policy";

/** True for an object that is never deleted because a set no longer holds it: data hangs on it, or its author said so. */
export const isKeptForGood = (object: Pick<KubeObject, "apiVersion" | "kind" | "metadata">): boolean => {
  const { group } = parseApiVersion(object.apiVersion);
  const said = object.metadata.annotations?.[POLICY] ?? object.metadata.labels?.[POLICY];
  return said === "keep" || KEPT.some(([of, kind]) => of === group && kind === object.kind);
};
