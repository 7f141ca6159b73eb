import { isEmpty, isRecord } from "../../json/fields.ts";
import { sameJson } from "../../json/same-json.ts";
import type { KubeObject, ManagedFields } from "../object.ts";
import { sameQuantity } from "../quantity.ts";
import { ItemIndex, valueText } from "./list-index.ts";
import { Owned } from "./owned.ts";
import { itemsAt, mapAt, quantityAt } from "./values.ts";

export interface WouldChangeOptions {
  readonly fieldManager: string;
  readonly subresource?: string | undefined;
  /** True for custom resources: what they hold is never normalised. */
  readonly custom: boolean;
}

type Node = Readonly<Record<string, unknown>>;

/** The names of fields alone of a way that also has items of lists. */
const fieldsOf = (trail: readonly string[]): readonly string[] =>
  trail.flatMap((name) => (name.startsWith("f:") ? [name.slice(2)] : []));

/** The entry of one applier of one part of an object; undefined where there is none, or several (an older version's stands beside it). */
export function applyEntry(
  live: KubeObject,
  fieldManager: string,
  subresource: string | undefined,
): ManagedFields | undefined {
  const entries = (live.metadata.managedFields ?? []).filter(
    (entry) =>
      entry.manager === fieldManager &&
      entry.operation === "Apply" &&
      (entry.subresource ?? "") === (subresource ?? ""),
  );
  return entries.length === 1 ? entries[0] : undefined;
}

/** The part of an apply that decides: without the fields that only name the object. */
export function decided(desired: KubeObject, subresource: string | undefined): Node {
  if (subresource !== undefined)
    return desired[subresource] === undefined ? {} : { [subresource]: desired[subresource] };
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = desired;
  const {
    name: _name,
    namespace: _namespace,
    uid: _uid,
    resourceVersion: _resourceVersion,
    ...more
  } = metadata;
  return Object.keys(more).length === 0 ? rest : { ...rest, metadata: more };
}

/** True for a value that a built-in kind may drop when it is stored, although the field stays owned. */
const isZero = (value: unknown): boolean =>
  value === "" ||
  value === 0 ||
  value === false ||
  value === null ||
  (Array.isArray(value) && value.length === 0);

/** True where the items have the same order in `live` as given. */
const inOrder = (positions: readonly number[]): boolean =>
  positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? -1));

/**
 * True where a server-side apply would change anything: the object or our entry in its managedFields. `desired` is the result of
 * `prepareApply`, `live` a fresh read with its managedFields. Exact in the safe direction: where it cannot know, it says true,
 * and the apply is sent.
 *
 * A webhook that changes our values makes it say true each time: see `AppliedMemo`.
 */
export function wouldChange(desired: KubeObject, live: KubeObject, options: WouldChangeOptions): boolean {
  const { uid, resourceVersion } = desired.metadata;
  if (uid !== undefined && uid !== live.metadata.uid) return true;
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) return true;
  const entry = applyEntry(live, options.fieldManager, options.subresource);
  if (entry?.fieldsV1 === undefined || entry.apiVersion !== desired.apiVersion) return true;
  // Whether a status in an apply to the object itself counts depends on the kind's subresources: unknown here.
  if (options.subresource === undefined && desired.status !== undefined) return true;

  const owned = new Owned((live.metadata.managedFields ?? []).filter((one) => one !== entry));
  // `trail`: the names of the way to a place as fieldsV1 has them.
  const same = (d: unknown, f: unknown, l: unknown, trail: readonly string[]): boolean => {
    const children = Object.keys(f as Node).filter((name) => name !== ".");
    if (children.length === 0) return sameLeaf(d, l, trail);
    const kind = children[0]?.slice(0, 2);
    if (children.some((name) => !name.startsWith(`${kind}`))) return false;
    if (kind === "f:") return sameFields(d, f as Node, children, l, trail);
    if (kind === "v:") return sameSet(d, children, l);
    return kind === "k:" && sameItems(d, f as Node, children, l, trail);
  };

  const sameLeaf = (d: unknown, l: unknown, trail: readonly string[]): boolean => {
    // Of a map whose fields others own each by itself, we own the whole only as long as ours is empty: it takes nothing away.
    if (isRecord(d) && isRecord(l) && owned.by(trail).parts) return isEmpty(d);
    if (sameJson(d, l)) return true;
    if (options.custom) return false;
    const path = fieldsOf(trail);
    if (l === undefined) return isZero(d) || (isRecord(d) && isEmpty(d) && mapAt(path));
    return quantityAt(path) && sameQuantity(d, l);
  };

  // An empty list of items leaves no trace in fieldsV1 and takes nothing away; one that is a whole is owned, and clears.
  const sameUnowned = (d: unknown, l: unknown, trail: readonly string[]): boolean => {
    if (!Array.isArray(d) || d.length > 0) return false;
    if (l === undefined) return !options.custom && itemsAt(fieldsOf(trail));
    if (!Array.isArray(l)) return false;
    const { whole, parts } = owned.by(trail);
    return !whole && (l.length === 0 || parts);
  };

  const sameFields = (
    d: unknown,
    f: Node,
    children: readonly string[],
    l: unknown,
    trail: readonly string[],
  ): boolean => {
    if (!isRecord(d) || !isRecord(l)) return false;
    for (const name of children) if (!Object.hasOwn(d, name.slice(2))) return false;
    return Object.keys(d).every((name) => {
      const node = f[`f:${name}`];
      const at = [...trail, `f:${name}`];
      return node === undefined ? sameUnowned(d[name], l[name], at) : same(d[name], node, l[name], at);
    });
  };

  const sameSet = (d: unknown, children: readonly string[], l: unknown): boolean => {
    if (!Array.isArray(d) || !Array.isArray(l) || d.length !== children.length) return false;
    const owned = new Set(children.map((name) => valueText(JSON.parse(name.slice(2)))));
    const wanted = d.map(valueText);
    if (new Set(wanted).size !== d.length || !wanted.every((text) => owned.has(text))) return false;
    const first = new Map<string, number>();
    for (const [position, other] of l.entries()) {
      const text = valueText(other);
      if (!first.has(text)) first.set(text, position);
    }
    const positions = wanted.map((text) => first.get(text) ?? -1);
    return !positions.includes(-1) && inOrder(positions);
  };

  const sameItems = (
    d: unknown,
    f: Node,
    children: readonly string[],
    l: unknown,
    trail: readonly string[],
  ): boolean => {
    if (!Array.isArray(d) || !Array.isArray(l) || d.length !== children.length) return false;
    const positions: number[] = new Array(d.length).fill(-1);
    const wanted = new ItemIndex(d, true);
    const there = new ItemIndex(l);
    for (const name of children) {
      const keys: unknown = JSON.parse(name.slice(2));
      const node = f[name] as Node;
      if (!isRecord(keys)) return false;
      const found = wanted.find(keys, (key) => node[`f:${key}`] === undefined);
      const at = there.find(keys)?.[0];
      const index = found?.[0];
      if (found?.length !== 1 || index === undefined || at === undefined || positions[index] !== -1)
        return false;
      positions[index] = at;
      if (!same(d[index], node, l[at], [...trail, name])) return false;
    }
    return inOrder(positions);
  };

  return !same(decided(desired, options.subresource), entry.fieldsV1, decided(live, options.subresource), []);
}
