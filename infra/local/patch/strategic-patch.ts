import { sameJson } from "../../../shared/json/same-json.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { badRequest, serverFault } from "../api-error.ts";
import { clone, isObject, type JsonObject, setOwn } from "../json.ts";
import { goText } from "../server/go-json.ts";

const directive = "$patch";
const retainKeys = "$retainKeys";
const deletePrefix = "$deleteFromPrimitiveList/";
const orderPrefix = "$setElementOrder/";

/** The way in which a field's list is merged: by key, as a set, or replaced. */
function listRule(schema: StructuralSchema | undefined): {
  readonly merges: boolean;
  readonly key: string | undefined;
} {
  const strategy = schema?.["x-kubernetes-patch-strategy"]?.split(",") ?? [];
  return { merges: strategy.includes("merge"), key: schema?.["x-kubernetes-patch-merge-key"] };
}

const fieldSchema = (schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined =>
  schema?.properties?.[name] ??
  (isObject(schema?.additionalProperties) ? schema.additionalProperties : undefined);

/**
 * The value after a strategic merge patch. Lists whose schema has a merge key are merged by it; `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList` and `$setElementOrder` do what the Kubernetes documentation says.
 */
export function strategicPatch(
  schema: StructuralSchema | undefined,
  target: unknown,
  patch: unknown,
): unknown {
  if (!isObject(patch)) return clone(patch);
  const what = patch[directive];
  if (what === "replace") {
    const { [directive]: _, ...rest } = patch;
    return clone(rest);
  }
  if (what === "delete") return {};
  if (what !== undefined && what !== "merge") throw badRequest(`unknown directive "$patch: ${String(what)}"`);
  const out: JsonObject = isObject(target) ? retained(target, patch) : {};
  for (const [name, value] of Object.entries(patch)) {
    if (name === directive || name === retainKeys || name.startsWith(orderPrefix)) continue;
    if (name.startsWith(deletePrefix)) {
      const field = name.slice(deletePrefix.length);
      const list = out[field];
      if (Array.isArray(list) && Array.isArray(value))
        out[field] = list.filter((item) => !value.some((gone) => sameJson(gone, item)));
      continue;
    }
    if (value === null) {
      delete out[name];
      continue;
    }
    const below = fieldSchema(schema, name);
    const before = Object.hasOwn(out, name) ? out[name] : undefined;
    const order = patch[orderPrefix + name];
    setOwn(
      out,
      name,
      Array.isArray(value) ? patchList(below, before, value, order) : strategicPatch(below, before, value),
    );
  }
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(orderPrefix) || !Array.isArray(order)) continue;
    const field = name.slice(orderPrefix.length);
    const list = out[field];
    if (patch[field] === undefined && Array.isArray(list))
      out[field] = inOrder(list, order, list, listRule(fieldSchema(schema, field)).key);
  }
  return out;
}

function retained(target: JsonObject, patch: JsonObject): JsonObject {
  const keep = patch[retainKeys];
  if (!Array.isArray(keep)) return { ...target };
  return Object.fromEntries(Object.entries(target).filter(([name]) => keep.includes(name)));
}

function patchList(
  schema: StructuralSchema | undefined,
  before: unknown,
  patch: readonly unknown[],
  order: unknown,
): unknown[] {
  const { merges, key } = listRule(schema);
  const isReplace = (item: unknown): boolean =>
    isObject(item) && item[directive] === "replace" && Object.keys(item).length === 1;
  if (!merges || patch.some(isReplace)) return patch.filter((item) => !isReplace(item)).map(clone);
  const list = Array.isArray(before) ? [...before] : [];
  const out = key === undefined ? mergeSet(list, patch) : mergeByKey(schema, list, patch, key);
  return inOrder(out, Array.isArray(order) ? order : patch, list, key);
}

function mergeSet(list: readonly unknown[], patch: readonly unknown[]): unknown[] {
  return [
    ...list,
    ...patch.filter(
      (item, index) =>
        !list.some((one) => sameJson(one, item)) && patch.findIndex((one) => sameJson(one, item)) === index,
    ),
  ];
}

function mergeByKey(
  schema: StructuralSchema | undefined,
  list: unknown[],
  patch: readonly unknown[],
  key: string,
): unknown[] {
  let out = list;
  const added: unknown[] = [];
  for (const item of patch) {
    if (!isObject(item))
      throw badRequest("invalid strategic merge patch: a list with a merge key holds objects");
    const id = item[key];
    if (id === undefined)
      throw serverFault(`map: ${goText(item)} does not contain declared merge key: ${key}`);
    if (item[directive] === "delete") {
      out = out.filter((one) => !isObject(one) || !sameJson(one[key], id));
      continue;
    }
    const index = out.findIndex((one) => isObject(one) && sameJson(one[key], id));
    if (index < 0) added.push(strategicPatch(schema?.items, undefined, item));
    else out = out.with(index, strategicPatch(schema?.items, out[index], item));
  }
  return [...out, ...added];
}

/**
 * Items named by the patch (or by its `$setElementOrder`) in that order; the others keep their place before and after those
 * that were in the list already. So new items come first, as on the real server.
 */
function inOrder(
  list: readonly unknown[],
  order: readonly unknown[],
  original: readonly unknown[],
  key: string | undefined,
): unknown[] {
  const idOf = (item: unknown): unknown => (key !== undefined && isObject(item) ? item[key] : item);
  const rankIn = (items: readonly unknown[], item: unknown): number =>
    items.findIndex((one) => sameJson(idOf(one), idOf(item)));
  const named = list
    .filter((item) => rankIn(order, item) >= 0)
    .sort((a, b) => rankIn(order, a) - rankIn(order, b));
  const others = list.filter((item) => rankIn(order, item) < 0);
  const out: unknown[] = [];
  while (named.length > 0 && others.length > 0) {
    const before = rankIn(original, named[0]);
    out.push(before < 0 || before < rankIn(original, others[0]) ? named.shift() : others.shift());
  }
  return [...out, ...named, ...others];
}
