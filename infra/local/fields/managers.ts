import type { KubeObject, ManagedFields } from "../../../shared/kube/object.ts";
import type { FieldSet as Fields } from "./field-set.ts";
import { FieldSet } from "./field-set.ts";

/** One field manager and what it owns. */
export interface Manager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: Fields;
}

/** Managers by identity. For appliers the apiVersion is no part of it: a later apply in another version is the same one. */
export type Managers = Map<string, Manager>;

export const identityOf = (
  manager: Pick<Manager, "name" | "operation" | "apiVersion" | "subresource">,
): string =>
  [
    manager.operation,
    manager.name,
    manager.subresource,
    manager.operation === "Update" ? manager.apiVersion : "",
  ].join("\0");

/** Undefined where the entries are malformed. */
export function managersOf(entries: readonly ManagedFields[] | undefined): Managers | undefined {
  const managers: Managers = new Map();
  for (const entry of entries ?? []) {
    const operation = entry.operation;
    const fields = entry.fieldsV1 === undefined ? new FieldSet() : FieldSet.fromJson(entry.fieldsV1);
    if ((operation !== "Apply" && operation !== "Update") || fields === undefined) return undefined;
    if (entry.fieldsType !== undefined && entry.fieldsType !== "FieldsV1") return undefined;
    const manager: Manager = {
      name: entry.manager ?? "",
      operation,
      apiVersion: entry.apiVersion ?? "",
      subresource: entry.subresource ?? "",
      time: entry.time,
      fields,
    };
    managers.set(identityOf(manager), manager);
  }
  return managers;
}

/** `[{}]` in an update takes all managers away. */
export const isReset = (entries: KubeObject["metadata"]["managedFields"]): boolean =>
  entries?.length === 1 &&
  Object.values(entries[0] ?? {}).every((value) => value === undefined || value === "");

/** The entries of `metadata.managedFields`: appliers first, then by time and name. Undefined where nobody owns anything. */
export function entriesOf(managers: Managers): ManagedFields[] | undefined {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const sorted = [...managers.values()].sort(
    (a, b) =>
      order(a.operation, b.operation) ||
      order(a.time ?? "", b.time ?? "") ||
      order(a.name, b.name) ||
      order(a.apiVersion, b.apiVersion) ||
      order(a.subresource, b.subresource),
  );
  if (sorted.length === 0) return undefined;
  return sorted.map((manager) => ({
    manager: manager.name,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: "FieldsV1",
    fieldsV1: manager.fields.toJson(),
    ...(manager.subresource === "" ? {} : { subresource: manager.subresource }),
  }));
}

const mostUpdaters = 10;
const ancient = "ancient-changes";

/** Keeps at most ten updaters: the oldest are counted together as `ancient-changes`. */
export function capUpdaters(managers: Managers): void {
  const updaters = [...managers].filter(([, manager]) => manager.operation === "Update");
  if (updaters.length <= mostUpdaters) return;
  updaters.sort(([, a], [, b]) => ((a.time ?? "") < (b.time ?? "") ? -1 : 1));
  let surplus = updaters.length - mostUpdaters;
  for (const [identity, manager] of updaters) {
    if (surplus <= 0 || manager.name === ancient) continue;
    const bucket = { ...manager, name: ancient, subresource: "" };
    const known = managers.get(identityOf(bucket));
    managers.delete(identity);
    managers.set(
      identityOf(bucket),
      known === undefined ? bucket : { ...bucket, fields: known.fields.union(manager.fields) },
    );
    // The first one only changes its name.
    if (known !== undefined) surplus--;
  }
}
