import type { AnyObject } from "../../shared/function/index.ts";
import { OPERATOR_ID, SECONDARY } from "./annotations.ts";

export const isSecondary = ({ metadata }: AnyObject): boolean => metadata.annotations[SECONDARY] === "true";
export const isDeleting = ({ metadata }: AnyObject): boolean => metadata.deletionTimestamp !== undefined;

/** Whether the operator with this id handles the object: the ids are the same, or neither has one. */
export const isHandled =
  (operatorId: string) =>
  ({ metadata }: AnyObject): boolean =>
    (metadata.annotations[OPERATOR_ID] ?? "") === operatorId;

/** Whether `owner` is among the object's owners. A name alone proves nothing. */
export const isOwnedBy = (owner: AnyObject, object: AnyObject): boolean =>
  object.metadata.ownerReferences.some(({ uid }) => uid === owner.metadata.uid);

/** Oldest first; of one age, by namespace and name. */
export const byAge = (one: AnyObject, other: AnyObject): number =>
  compare(one.metadata.creationTimestamp, other.metadata.creationTimestamp) ||
  compare(one.metadata.namespace ?? "", other.metadata.namespace ?? "") ||
  compare(one.metadata.name, other.metadata.name);

/** By code units: the same everywhere, whatever the locale. */
export const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The oldest, or undefined of none. */
export const oldest = <O extends AnyObject>(objects: readonly O[]): O | undefined =>
  objects.toSorted(byAge)[0];
