import { isEmpty, isRecord } from "../../json/fields.ts";
import type { KubeObject } from "../object.ts";
import { sameQuantity } from "../quantity.ts";
import type { Keeps } from "./keeps.ts";
import { quantityAt } from "./values.ts";

export interface PrepareOptions {
  /** True for custom resources, false for the kinds that kube-apiserver brings itself. */
  readonly custom: boolean;
  /** The object as it was read: spellings of equal quantities are taken from it. */
  readonly live?: KubeObject | undefined;
  /** True for objects that only data names: nobody here knows which of their empties mean something, so all outside metadata stay. */
  readonly asSaid?: boolean | undefined;
  /** The fields that the kind's schema wants sent although they are null or empty: see `keepsOf`. */
  readonly keeps?: Keeps | undefined;
}

/** Set by the server: sent, they are ignored or refused. */
const serverOwned = new Set([
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
  "managedFields",
  "selfLink",
]);

/**
 * Without nulls, and without empty maps and lists where `empties` is true, but for what the schema keeps. Items of lists stay:
 * dropping one would change the others' places.
 */
function stripped(value: unknown, empties: boolean, keeps?: Keeps): unknown {
  if (Array.isArray(value)) return value.map((item) => stripped(item, empties, keeps?.each));
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    const keep = keeps?.fields?.[name] ?? keeps?.each;
    if (child === undefined || (child === null && keep?.null !== true)) continue;
    const goes = keeps?.embedded === true ? name === "metadata" : empties;
    const clean = stripped(child, goes, keep);
    if (!(goes && isEmpty(clean)) || keep?.empty === true) kept[name] = clean;
  }
  return kept;
}

/** Finds the item of `live` that an item of a list is, by name or else by place. */
function counterpartsIn(live: readonly unknown[]): (item: unknown, index: number) => unknown {
  const named = new Map<unknown, unknown>();
  for (const item of live) if (isRecord(item) && !named.has(item.name)) named.set(item.name, item);
  return (item, index) =>
    isRecord(item) && typeof item.name === "string" ? named.get(item.name) : live[index];
}

/** Another spelling of the same number would take the field from its co-owners and move the version. */
function spelledAsLive(desired: unknown, live: unknown, path: readonly string[]): unknown {
  if (live === undefined) return desired;
  if (Array.isArray(desired)) {
    if (!Array.isArray(live)) return desired;
    const counterpart = counterpartsIn(live);
    return desired.map((item, index) => spelledAsLive(item, counterpart(item, index), path));
  }
  if (isRecord(desired)) {
    if (!isRecord(live)) return desired;
    const same: Record<string, unknown> = {};
    for (const [name, child] of Object.entries(desired))
      same[name] = spelledAsLive(child, live[name], [...path, name]);
    return same;
  }
  return quantityAt(path) && sameQuantity(desired, live) ? live : desired;
}

/**
 * The body as it is to be applied. Nulls are taken out (the server refuses or stores them), empty maps and lists under
 * metadata too (on custom resources each apply of one moves the version, for ever), in custom resources all empties
 * (a map that becomes empty is refused as "null"), and what only the server sets. What is required or nullable stays, and of
 * objects that only data names, or that stand whole in a field, every empty outside metadata.
 */
export function prepareApply(body: KubeObject, options: PrepareOptions): KubeObject {
  const clean = stripped(body, options.custom && options.asSaid !== true, options.keeps) as KubeObject;
  const metadata = Object.fromEntries(
    Object.entries(stripped(body.metadata, true) as Record<string, unknown>).filter(
      ([name]) => !serverOwned.has(name),
    ),
  );
  const prepared = { ...clean, metadata } as unknown as KubeObject;
  // A custom resource keeps each spelling as it was written: there, another spelling is another value.
  return options.live === undefined || options.custom
    ? prepared
    : (spelledAsLive(prepared, options.live, []) as KubeObject);
}
