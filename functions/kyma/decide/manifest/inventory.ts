import { identityOfObject } from "../../../../shared/manifests/inventory.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { RUNTIME_NAMESPACE, type SyncedObject } from "../../kinds/index.ts";

/** The entry of an object in the record. */
export const entryOf = (object: ApplicableObject): SyncedObject => ({
  namespace: "",
  ...identityOfObject(object),
});

/** The same for an object, whatever the version that it was written in. */
export const keyOf = ({ group, kind, namespace, name }: Omit<SyncedObject, "version">): string =>
  JSON.stringify([group, kind, namespace, name]);

/** The namespaces that belong to no module, whichever artifacts bring them; the server itself deletes none of the others. */
const OF_ALL: readonly string[] = [RUNTIME_NAMESPACE, "default", "kube-system", "kube-public"];

/** True for what no pass takes away, not even with its module: others live in it. */
export const isKept = ({ group, kind, name }: Pick<SyncedObject, "group" | "kind" | "name">): boolean =>
  group === "" && kind === "Namespace" && OF_ALL.includes(name);

/** The record with what is going to be applied: what it holds already comes first, so that its order rests. */
export function recordWith(
  stored: readonly SyncedObject[],
  wanted: readonly SyncedObject[],
): readonly SyncedObject[] {
  const byKey = new Map(wanted.map((entry) => [keyOf(entry), entry]));
  const known = new Set(stored.map(keyOf));
  return [
    ...stored.map((entry) => byKey.get(keyOf(entry)) ?? entry),
    ...wanted.filter((entry) => !known.has(keyOf(entry))),
  ];
}

/** The record without these. */
export function recordWithout(
  stored: readonly SyncedObject[],
  over: readonly SyncedObject[],
): readonly SyncedObject[] {
  const gone = new Set(over.map(keyOf));
  return stored.filter((entry) => !gone.has(keyOf(entry)));
}

/** True where the record lacks an object that is going to be applied. */
export const lacks = (stored: readonly SyncedObject[], wanted: readonly SyncedObject[]): boolean => {
  const known = new Set(stored.map(keyOf));
  return wanted.some((entry) => !known.has(keyOf(entry)));
};

/**
 * The entries whose objects the artifact no longer brings. Objects whose kind nobody knows yet are brought as well, in whichever
 * namespace they will be.
 */
export function surplus(
  stored: readonly SyncedObject[],
  wanted: readonly SyncedObject[],
  unplaced: readonly Pick<SyncedObject, "group" | "kind" | "name">[],
): readonly SyncedObject[] {
  const kept = new Set(wanted.map(keyOf));
  const somewhere = new Set(unplaced.map(nameKey));
  return stored.filter(
    (entry) => !kept.has(keyOf(entry)) && !somewhere.has(nameKey(entry)) && !isKept(entry),
  );
}
const nameKey = ({ group, kind, name }: Pick<SyncedObject, "group" | "kind" | "name">): string =>
  JSON.stringify([group, kind, name]);

/**
 * True where an artifact brings less than it did, under the very digest of before: then a part of it was lost on the way, and nothing
 * may be concluded from what is missing.
 */
export const isTruncated = (
  missing: readonly SyncedObject[],
  ref: string,
  lastRef: string | undefined,
): boolean => missing.length > 0 && ref === lastRef;
