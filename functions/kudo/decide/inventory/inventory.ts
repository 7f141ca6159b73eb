import { parseApiVersion } from "../../../../shared/kube/object.ts";
import type { InstanceStatus, InventoryItem } from "../../kinds/index.ts";

/** The lists of an Instance's status that remember what its tasks applied. */
export type Inventory = Pick<InstanceStatus, "workloads" | "clusterObjects">;

/** The knowledge of a task about an object, once it has run. */
export interface Sighting {
  readonly object: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly scope: "Namespaced" | "Cluster";
  readonly is: "applied" | "gone";
}

/** The most items of a list: of more, those that were applied last are kept. */
export const MOST_ITEMS = 100;

/** The kinds of workloads that are listed while nothing runs: of them alone it can be said that one is gone. */
const WORKLOADS: readonly string[] = ["Deployment", "StatefulSet", "DaemonSet"];
const isWorkload = ({ object: { apiVersion, kind } }: Sighting): boolean =>
  WORKLOADS.includes(kind) && parseApiVersion(apiVersion).group === "apps";

const keyOf = ({ apiVersion = "", kind, name }: InventoryItem): string =>
  `${parseApiVersion(apiVersion).group}/${kind}/${name}`;

/** The lists after these sightings; the very same where nothing is new. */
export const recorded = (inventory: Inventory, sightings: readonly Sighting[]): Inventory => ({
  ...listed("workloads", inventory.workloads, sightings.filter(isWorkload)),
  ...listed(
    "clusterObjects",
    inventory.clusterObjects,
    sightings.filter(({ scope }) => scope === "Cluster"),
  ),
});

function listed<F extends keyof Inventory>(
  field: F,
  before: readonly InventoryItem[] | undefined,
  sightings: readonly Sighting[],
): Inventory {
  const items = new Map((before ?? []).map((item) => [keyOf(item), item]));
  for (const { object, is } of sightings) {
    const key = keyOf(object);
    if (is === "gone") items.delete(key);
    else if (items.get(key)?.apiVersion !== object.apiVersion || items.get(key)?.missing === true)
      items.set(key, object);
  }
  return of(field, [...items.values()].slice(-MOST_ITEMS));
}

const of = (field: keyof Inventory, items: readonly InventoryItem[]): Inventory =>
  items.length === 0 ? { [field]: undefined } : { [field]: [...items] };

/** The workloads, with those marked that are not among `present`. */
export const compared = (
  workloads: Inventory["workloads"],
  present: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[],
): Inventory["workloads"] => {
  const there = new Set(present.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  return workloads?.map(({ missing: _, ...item }) =>
    there.has(`${item.kind}/${item.name}`) ? item : { ...item, missing: true },
  );
};

/** The workloads without those that are missing: a roll-out brings what there shall be. */
export function withoutMissing(workloads: Inventory["workloads"]): Inventory["workloads"] {
  const left = workloads?.filter(({ missing }) => missing !== true);
  return left === undefined || left.length === 0 ? undefined : left;
}

/** The names of the workloads that are missing. */
export const missingIn = (workloads: Inventory["workloads"]): readonly string[] =>
  (workloads ?? [])
    .filter(({ missing }) => missing === true)
    .map(({ kind, name }) => `${kind.toLowerCase()} ${name}`)
    .toSorted();
