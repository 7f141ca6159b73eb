import type { AnyObject } from "./kind.ts";

/** True where its deletion was asked for: it goes when its last finalizer is gone. */
export const isDeleting = ({ metadata }: AnyObject): boolean => metadata.deletionTimestamp !== undefined;

/** True where `owner` is among the object's owners. A name alone proves nothing. */
export const isOwnedBy = (owner: AnyObject, object: AnyObject): boolean =>
  object.metadata.ownerReferences.some(({ uid }) => uid === owner.metadata.uid);

/** Compares by code units: the same everywhere, in any locale. */
export const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

interface Aged {
  readonly metadata: Pick<AnyObject["metadata"], "creationTimestamp" | "namespace" | "name">;
}
/** Oldest first; of one age, by namespace and name. */
export const byAge = (one: Aged, other: Aged): number =>
  compare(one.metadata.creationTimestamp, other.metadata.creationTimestamp) ||
  compare(one.metadata.namespace ?? "", other.metadata.namespace ?? "") ||
  compare(one.metadata.name, other.metadata.name);

/** The oldest, or undefined of none. */
export const oldest = <O extends AnyObject>(objects: readonly O[]): O | undefined =>
  objects.toSorted(byAge)[0];
