import { isSame } from "../../../../shared/json/differences.ts";
import { type Fields, fieldsOf, isEmpty, isRecord } from "../../../../shared/json/fields.ts";
import type { KubeObject, ManagedFields } from "../../../../shared/kube/object.ts";

/** The fields that others have written, at one place of an object: their nodes of `fieldsV1`. */
export type Others = readonly Fields[];

/**
 * True for the field manager that made the object: it wrote its first defaults too, which is no word against the manifest. Times
 * are whole seconds, so a user who edits it within that second counts as its maker.
 */
const isMaker = (entry: ManagedFields, live: KubeObject): boolean =>
  entry.time !== undefined && entry.time === live.metadata.creationTimestamp;

/** The writings of all but the given field managers, status aside. */
export function othersOf(live: KubeObject, fieldManagers: readonly string[]): Others {
  return (live.metadata.managedFields ?? [])
    .filter(
      (entry) =>
        (entry.subresource ?? "") === "" &&
        !fieldManagers.includes(entry.manager ?? "") &&
        !isMaker(entry, live),
    )
    .map((entry) => fieldsOf(entry.fieldsV1));
}

/** A node without children is one value, whatever lies in it. */
const isWhole = (node: Fields): boolean => isEmpty(node);

/** One step down, to a field. */
export const atField = (others: Others, name: string): Others =>
  others.flatMap((node) => {
    if (isWhole(node)) return [node];
    const child = node[`f:${name}`];
    return isRecord(child) ? [child] : [];
  });

const names = (step: string, item: unknown): boolean => {
  if (step.startsWith("v:")) return isSame(JSON.parse(step.slice(2)), item);
  if (!step.startsWith("k:")) return false;
  const keys: unknown = JSON.parse(step.slice(2));
  return isRecord(keys) && Object.entries(keys).every(([name, value]) => isSame(fieldsOf(item)[name], value));
};

/** One step down, to an item of a list. */
export const atItem = (others: Others, item: unknown): Others =>
  others.flatMap((node) => {
    if (isWhole(node)) return [node];
    return Object.entries(node).flatMap(([step, child]) =>
      isRecord(child) && names(step, item) ? [child] : [],
    );
  });
