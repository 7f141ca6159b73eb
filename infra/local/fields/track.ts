import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeObject, ManagedFields } from "../../../shared/kube/object.ts";
import { ApiError } from "../api-error.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { FieldSet, fieldElement } from "./field-set.ts";
import { fieldsLastApplied, handsOver, keepLastApplied } from "./last-applied.ts";
import {
  capUpdaters,
  entriesOf,
  identityOf,
  isReset,
  type Manager,
  type Managers,
  managersOf,
} from "./managers.ts";
import { type MapShape, rootShape } from "./shape.ts";
import {
  type Comparison,
  compare,
  fieldsOf,
  merge,
  removeFields,
  typedErrors,
  withNamedFields,
} from "./typed.ts";
import { zeroOf } from "./zero.ts";

/** The writer, and the door through which it writes. */
export interface Writer {
  readonly fieldManager: string;
  readonly subresource?: string | undefined;
  /** RFC 3339, seconds. */
  readonly time: string;
}

/** Fields that nobody owns: they belong to the server or name the object. */
const unowned: FieldSet = (() => {
  const set = new FieldSet();
  for (const name of ["apiVersion", "kind", "metadata"]) set.child(fieldElement(name)).member = true;
  for (const name of [
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ]) {
    set.child(fieldElement("metadata")).child(fieldElement(name)).member = true;
  }
  return set;
})();
const owned = (fields: FieldSet): FieldSet => fields.difference(unowned);

/** The fields that a write through a door can own: status through `/status`, everything else through the main one. */
function doorOf(type: ResourceType, fields: FieldSet, subresource: string | undefined): FieldSet {
  if (!type.subresources.status && subresource === undefined) return fields;
  const status = fieldElement("status");
  const children = new Map(
    [...fields.children].filter(([element]) => (element === status) === (subresource === "status")),
  );
  return subresource === undefined || subresource === "status"
    ? new FieldSet(fields.member, children)
    : fields;
}

const withoutManagers = <O extends { readonly metadata: object }>(object: O): O => {
  if (!("managedFields" in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

/** Writes into `candidate` who owns what after an update by PUT, POST or a patch. `live` is absent on create. */
export function trackUpdate(
  type: ResourceType,
  live: KubeObject | undefined,
  candidate: ApiObject,
  writer: Writer,
): void {
  const shape = rootShape(type);
  const given = candidate.metadata.managedFields;
  const reset = isReset(given);
  const stored = managersOf(live?.metadata.managedFields) ?? new Map();
  // Only the main resource lets managedFields be edited; malformed edits are dropped without a word.
  const edited = writer.subresource === undefined && given !== undefined && given.length > 0 && !reset;
  const managers = reset ? new Map<string, Manager>() : edited ? (managersOf(given) ?? stored) : stored;
  delete candidate.metadata.managedFields;
  if (live !== undefined && managers.size === 0) return;
  const compared = compare(
    shape,
    live === undefined ? zeroOf(type, candidate) : withoutManagers(live),
    candidate,
  );
  releaseChanged(managers, compared, undefined);
  const gained = doorOf(type, owned(compared.modified.union(compared.added)), writer.subresource);
  if (!gained.empty) {
    const self = {
      name: writer.fieldManager,
      operation: "Update" as const,
      apiVersion: candidate.apiVersion,
      subresource: writer.subresource ?? "",
      time: writer.time,
    };
    const before = managers.get(identityOf(self));
    managers.set(identityOf(self), {
      ...self,
      fields: before === undefined ? gained : before.fields.union(gained),
    });
    capUpdaters(managers);
  }
  setEntries(candidate, managers);
}

function setEntries(object: ApiObject, managers: Managers): void {
  const entries = entriesOf(managers);
  if (entries === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}

/** All others lose what has changed or gone. */
function releaseChanged(
  managers: Managers,
  { added, modified, removed }: Comparison,
  except: string | undefined,
): void {
  const changed = added.union(modified).union(removed);
  for (const [identity, manager] of managers) {
    if (identity === except) continue;
    const fields = manager.fields.difference(changed);
    if (fields.empty) managers.delete(identity);
    else if (fields !== manager.fields) managers.set(identity, { ...manager, fields });
  }
}

/**
 * The object after a server-side apply of `config`, with its managers. `live` is absent where the apply creates.
 * Throws the 409 of field conflicts and the 500 of configurations that the schema does not know.
 */
export function applyConfiguration(
  type: ResourceType,
  live: KubeObject | undefined,
  config: ApiObject,
  writer: Writer & { readonly force: boolean },
): ApiObject {
  const shape = rootShape(type);
  const errors = typedErrors(shape, config);
  if (errors.length > 0) throw typedPatchError(config, errors);
  const managers = managersForApply(type, live, writer);
  const base: ApiObject = live === undefined ? emptyLike(config) : (withoutManagers(live) as ApiObject);
  const self = {
    name: writer.fieldManager,
    operation: "Apply" as const,
    apiVersion: config.apiVersion,
    subresource: writer.subresource ?? "",
  };
  const identity = identityOf(self);
  const last = managers.get(identity);
  const fields = doorOf(type, fieldsOf(shape, config), writer.subresource);
  const mine: Manager = { ...self, time: last?.time ?? writer.time, fields };
  managers.set(identity, mine);

  const merged = merge(shape, base, config);
  const next = pruneDropped(shape, merged, managers, last?.fields) as ApiObject;
  const compared = throughDoor(type, compare(shape, base, next), writer.subresource);
  const kubectl = handsOver(writer.fieldManager);
  if (!writer.force)
    refuseConflicts(
      managers,
      compared,
      identity,
      kubectl && live !== undefined ? fieldsLastApplied(shape, base) : undefined,
    );
  releaseChanged(managers, compared, identity);

  const ours = owned(fields);
  // An apply that changes no value leaves no time, as on the real server: a second owner of the same values has none.
  const time = sameJson(base, next) ? last?.time : writer.time;
  if (ours.empty) managers.delete(identity);
  else managers.set(identity, { ...mine, fields: ours, time });
  const result: ApiObject = { ...next, metadata: { ...next.metadata } };
  setEntries(result, managers);
  if (kubectl) keepLastApplied(result, config);
  return result;
}

const throughDoor = (
  type: ResourceType,
  compared: Comparison,
  subresource: string | undefined,
): Comparison => ({
  added: doorOf(type, compared.added, subresource),
  modified: doorOf(type, compared.modified, subresource),
  removed: doorOf(type, compared.removed, subresource),
});

const emptyLike = (config: Pick<KubeObject, "apiVersion" | "kind">): ApiObject => ({
  apiVersion: config.apiVersion,
  kind: config.kind,
  metadata: {} as ApiObject["metadata"],
});

/** An object that nobody manages yet belongs to `before-first-apply` when it is first applied to. */
function managersForApply(type: ResourceType, live: KubeObject | undefined, writer: Writer): Managers {
  const managers = managersOf(live?.metadata.managedFields) ?? new Map<string, Manager>();
  if (live === undefined || managers.size > 0) return managers;
  const shape = rootShape(type);
  const compared = compare(shape, zeroOf(type, live), withoutManagers(live));
  const before: Manager = {
    name: "before-first-apply",
    operation: "Update",
    apiVersion: live.apiVersion,
    subresource: "",
    time: writer.time,
    fields: doorOf(type, owned(compared.added), undefined),
  };
  if (!before.fields.empty) managers.set(identityOf(before), before);
  return managers;
}

/** Takes out what this manager applied last time, not this time, and nobody else owns. */
function pruneDropped(
  shape: MapShape,
  merged: unknown,
  managers: Managers,
  last: FieldSet | undefined,
): unknown {
  if (last === undefined || last.empty) return merged;
  const named = (fields: FieldSet): FieldSet => withNamedFields(shape, fields);
  const mergedFields = named(fieldsOf(shape, merged));
  const lastFields = named(last);
  let managed = new FieldSet();
  for (const manager of managers.values()) managed = managed.union(named(manager.fields));
  const pruned = removeFields(shape, merged, lastFields);
  const kept = named(fieldsOf(shape, pruned)).union(managed);
  const withOwned = removeFields(shape, merged, mergedFields.difference(kept));
  const dangling = mergedFields.difference(named(fieldsOf(shape, withOwned))).intersection(lastFields);
  return removeFields(shape, merged, dangling);
}

/** `allowed`: fields that are no conflict, whoever manages them. */
function refuseConflicts(
  managers: Managers,
  { added, modified }: Comparison,
  self: string,
  allowed: FieldSet = new FieldSet(),
): void {
  const changed = added.union(modified).difference(allowed);
  const conflicts = [...managers]
    .filter(([identity]) => identity !== self)
    .map(([, manager]) => ({
      manager: managerText(manager),
      paths: [...manager.fields.intersection(changed).paths()],
    }))
    .filter(({ paths }) => paths.length > 0)
    .sort((a, b) => (a.manager < b.manager ? -1 : 1));
  const causes = conflicts.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${manager}`, field })),
  );
  const [first] = causes;
  if (first === undefined) return;
  const listing =
    causes.length === 1
      ? `${first.message}: ${first.field}`
      : conflicts
          .map(
            ({ manager, paths }) =>
              `conflicts with ${manager}:\n${paths.map((path) => `- ${path}`).join("\n")}`,
          )
          .join("\n");
  throw new ApiError(
    409,
    "Conflict",
    `Apply failed with ${causes.length} conflict${causes.length === 1 ? "" : "s"}: ${listing}`,
    { details: { causes } },
  );
}

/** Without the time: it is no part of who a manager is. */
function managerText({ name, operation, subresource, apiVersion }: Manager): string {
  const door = subresource === "" ? "" : ` with subresource "${subresource}"`;
  return `"${name}"${door}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}

function typedPatchError(config: ApiObject, errors: readonly string[]): ApiError {
  const name = `${config.metadata.namespace ?? ""}/${config.metadata.name}`;
  const all =
    errors.length === 1
      ? errors[0]
      : `errors:\n${[...errors]
          .sort()
          .map((error) => `  ${error}`)
          .join("\n")}`;
  // Go prints the core group as an empty one.
  const groupVersion = config.apiVersion.includes("/") ? config.apiVersion : `/${config.apiVersion}`;
  return new ApiError(
    500,
    undefined,
    `failed to create typed patch object (${name}; ${groupVersion}, Kind=${config.kind}): ${all}`,
  );
}

/** True where two objects are the same but for the times of their managers: such an update is none. */
export function unchanged(before: KubeObject, after: KubeObject): boolean {
  const untimed = (entries: readonly ManagedFields[] | undefined): unknown =>
    entries?.map(({ time: _, ...entry }) => entry) ?? [];
  return (
    sameJson(withoutManagers(before), withoutManagers(after)) &&
    sameJson(untimed(before.metadata.managedFields), untimed(after.metadata.managedFields))
  );
}
