import { isRecord } from "../../json/fields.ts";
import type { KubeClient, Place, Resource } from "../client.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject, ManagedFields } from "../object.ts";

type Node = Readonly<Record<string, unknown>>;
type Fields = NonNullable<ManagedFields["fieldsV1"]>;

export interface TakeOver {
  /** The owner of the fields from now on. */
  readonly fieldManager: string;
  /** The field managers of the operator that ran here before. */
  readonly from: readonly string[];
  /** Others whose applies of the object itself are given up: what they wrote in another way stays theirs. Default: none. */
  readonly appliers?: readonly string[];
  /** The part of the object that is applied: nothing is taken of another. Default: the object itself. */
  readonly part?: "status" | undefined;
  /** The body that is applied: where it says nothing but metadata, nothing else is taken. Default: everything. */
  readonly says?: KubeObject | undefined;
}

/** Those of a program's field managers who have applied the object itself, as long as it bears the labels of that program's work. */
export const appliersAmong = (
  live: KubeObject | undefined,
  former:
    | { readonly managers: readonly string[]; readonly labels: Readonly<Record<string, string>> }
    | undefined,
): readonly string[] => {
  const labels = Object.entries(former?.labels ?? {});
  const { metadata } = live ?? {};
  if (former === undefined || labels.some(([label, value]) => metadata?.labels?.[label] !== value)) return [];
  return former.managers.filter((one) =>
    metadata?.managedFields?.some(
      ({ manager, operation, subresource }) =>
        manager === one && operation === "Apply" && (subresource ?? "") === "",
    ),
  );
};

/** All fields of both. */
function union(a: Node, b: Node): Fields {
  const all: Record<string, unknown> = { ...a };
  for (const [name, node] of Object.entries(b)) {
    const own = all[name];
    all[name] = isRecord(own) && isRecord(node) ? union(own, node) : node;
  }
  return all;
}

/** Entries of one version and one part of the object describe the same tree of fields. */
const treeOf = ({ apiVersion, subresource }: ManagedFields): string =>
  JSON.stringify([apiVersion, subresource ?? ""]);

/** The fields of an entry that an apply takes, and those which stay with their owner. Finalizers do: what they hold back is not done yet. */
function split(
  fields: Fields,
  { says }: Pick<TakeOver, "says">,
): { readonly taken: Fields; readonly left: Fields } {
  const isMetadata = (name: string): boolean => name === "f:metadata";
  const saysMetadataOnly =
    says !== undefined &&
    Object.keys(says).every((name) => ["apiVersion", "kind", "metadata"].includes(name));
  const parts = Object.entries(fields).map(([name, node]) => {
    if (!isMetadata(name) || !isRecord(node))
      return saysMetadataOnly && !isMetadata(name) ? { left: { [name]: node } } : { taken: { [name]: node } };
    const { [FINALIZERS]: finalizers, ...rest } = node;
    return {
      ...(Object.keys(rest).length > 0 && { taken: { [name]: rest } }),
      ...(finalizers !== undefined && { left: { [name]: { [FINALIZERS]: finalizers } } }),
    };
  });
  return {
    taken: Object.assign({}, ...parts.map((part) => part.taken)),
    left: Object.assign({}, ...parts.map((part) => part.left)),
  };
}
const FINALIZERS = "f:finalizers";
const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0;

/** The entries of former managers of which an apply takes something. */
const takenEntries = (live: KubeObject, taking: TakeOver): readonly ManagedFields[] =>
  (live.metadata.managedFields ?? []).filter((entry) => {
    const { manager, operation, subresource, fieldsV1 } = entry;
    if (manager === undefined || manager === taking.fieldManager) return false;
    if ((subresource ?? "") !== (taking.part ?? "")) return false;
    const isApply = operation === "Apply";
    if (!taking.from.includes(manager) && !(isApply && taking.appliers?.includes(manager) === true))
      return false;
    if (fieldsV1 === undefined) return true;
    const { taken, left } = split(fieldsV1, taking);
    // What an applier keeps it would have to apply again: of that we know the names of finalizers alone.
    return !isEmpty(taken) && (!isApply || Object.keys(left).every((name) => name === "f:metadata"));
  });

/** True where an apply has something to take from the managers before. */
export const hasPredecessor = (live: KubeObject, taking: TakeOver): boolean =>
  takenEntries(live, taking).length > 0;

/** A step of a JSON patch. */
export interface PatchStep {
  readonly op: "replace" | "test";
  readonly path: string;
  readonly value: unknown;
}

/**
 * The JSON patch that books the fields which old managers wrote by create, update or patch under our apply, so that our next
 * apply removes those it does not want. Without it they stay for ever. Undefined where there is nothing to move.
 * It changes no field and no generation, and is refused as stale where the object has changed since it was read.
 */
export function takeOverPatch(live: KubeObject, taking: TakeOver): readonly PatchStep[] | undefined {
  const { fieldManager } = taking;
  const entries = live.metadata.managedFields ?? [];
  const moves = new Set(takenEntries(live, taking).filter(({ operation }) => operation === "Update"));
  if (moves.size === 0) return undefined;
  const moved: ManagedFields[] = [];
  const kept: ManagedFields[] = entries.flatMap((entry) => {
    if (!moves.has(entry)) return [entry];
    const { taken, left } = split(entry.fieldsV1 ?? {}, taking);
    moved.push({ ...entry, fieldsV1: taken });
    return isEmpty(left) ? [] : [{ ...entry, fieldsV1: left }];
  });
  const ours = new Map<string, number>();
  for (const [index, entry] of kept.entries())
    if (entry.manager === fieldManager && entry.operation === "Apply" && !ours.has(treeOf(entry)))
      ours.set(treeOf(entry), index);
  for (const entry of moved) {
    const own = ours.get(treeOf(entry));
    const before = own === undefined ? undefined : kept[own];
    if (own === undefined || before === undefined)
      ours.set(treeOf(entry), kept.push({ ...entry, manager: fieldManager, operation: "Apply" }) - 1);
    else kept[own] = { ...before, fieldsV1: union(before.fieldsV1 ?? {}, entry.fieldsV1 ?? {}) };
  }
  return [
    { op: "replace", path: "/metadata/managedFields", value: kept },
    // The server refuses another version than its own with 409: nothing that was written meanwhile is lost.
    { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
  ];
}

/** An apply in an old applier's name that gives up its fields, finalizers apart. `subresource`: which part it owned. */
export interface GiveUp {
  readonly fieldManager: string;
  readonly subresource: "status" | undefined;
  readonly body: KubeObject;
}

/**
 * The empty applies by which old appliers give up their fields. To be sent after our own forced apply, else fields vanish
 * for a moment. The uid keeps them from creating the object anew.
 */
export function giveUps(live: KubeObject, taking: TakeOver): readonly GiveUp[] {
  const { name, namespace, uid, finalizers = [] } = live.metadata;
  return takenEntries(live, taking).flatMap(({ manager = "", operation, apiVersion, fieldsV1 = {} }) => {
    if (operation !== "Apply") return [];
    const metadata = split(fieldsV1, taking).left["f:metadata"];
    const owned = isRecord(metadata) && isRecord(metadata[FINALIZERS]) ? metadata[FINALIZERS] : {};
    const kept = finalizers.filter((finalizer) => `v:${JSON.stringify(finalizer)}` in owned);
    return [
      {
        fieldManager: manager,
        subresource: taking.part,
        body: {
          apiVersion: apiVersion ?? live.apiVersion,
          kind: live.kind,
          metadata: {
            name,
            ...(namespace === undefined ? {} : { namespace }),
            ...(uid === undefined ? {} : { uid }),
            ...(kept.length === 0 ? {} : { finalizers: kept }),
          },
        },
      },
    ];
  });
}

/**
 * Moves an object's fields from an old operator to ours: `apply` is our own forced apply of the object as it is afterwards, and
 * gives the object back. Each step may be repeated. Undefined where the object is gone. Throws a `KubeError`, kind `stale`
 * where the object changed meanwhile.
 */
export async function takeOver(
  client: KubeClient,
  resource: Resource,
  live: KubeObject,
  options: TakeOver,
  apply: (live: KubeObject) => Promise<KubeObject>,
): Promise<KubeObject | undefined> {
  const place: Place = { namespace: live.metadata.namespace, name: live.metadata.name };
  const writer = { fieldManager: options.fieldManager };
  const patch = takeOverPatch(live, options);
  try {
    const moved = patch === undefined ? live : await client.patch(resource, place, "json", patch, writer);
    let applied = await apply(moved);
    for (const { body, subresource, fieldManager } of giveUps(applied, options))
      applied = await client.apply(resource, place, body, { fieldManager, subresource });
    return applied;
  } catch (error) {
    if (error instanceof KubeError && (error.kind === "missing" || error.kind === "gone")) return undefined;
    throw error;
  }
}
