import { MOST_OWNERS } from "../../events/index.ts";
import type { OwnerReference } from "../../shared/kube/object.ts";

/** The longest names of the Kubernetes API; the server checks less than that in the references of owners. */
const LONGEST = { apiVersion: 317, kind: 253, name: 253, uid: 128 } as const;

const couldBe = (owner: unknown): owner is OwnerReference =>
  typeof owner === "object" &&
  owner !== null &&
  Object.entries(LONGEST).every(([field, most]) => {
    const value = (owner as Readonly<Record<string, unknown>>)[field];
    return typeof value === "string" && value !== "" && value.length <= most;
  });

/**
 * The owners as they are told: those that can be objects at all, the controller first, and no more than `MOST_OWNERS`, at which
 * whoever follows them looks all dependants up. Throws a TypeError for what is no list.
 */
export function ownersOf(references: unknown): OwnerReference[] {
  if (!Array.isArray(references)) throw new TypeError("metadata.ownerReferences is no list");
  const owners: OwnerReference[] = [];
  for (const reference of references as readonly unknown[]) {
    if (!couldBe(reference)) continue;
    const { apiVersion, kind, name, uid, controller } = reference;
    if (controller !== true && owners.length >= MOST_OWNERS) continue;
    const owner = { apiVersion, kind, name, uid, ...(typeof controller === "boolean" ? { controller } : {}) };
    if (controller === true) owners.unshift(owner);
    else owners.push(owner);
  }
  return owners.slice(0, MOST_OWNERS);
}
