import { createHash } from "node:crypto";
import { isRecord } from "../../json/fields.ts";
import type { KubeObject } from "../object.ts";
import { valueText } from "./list-index.ts";
import { applyEntry, decided, type WouldChangeOptions, wouldChange } from "./would-change.ts";

type Node = Readonly<Record<string, unknown>>;

/** The values in `live` under the fields of a fieldsV1 node. */
function under(live: unknown, fields: Node): unknown {
  const children = Object.keys(fields).filter((name) => name !== ".");
  if (children.length === 0) return live;
  if (isRecord(live))
    return Object.fromEntries(
      children.map((name) => [name, under(live[name.slice(2)], fields[name] as Node)]),
    );
  if (!Array.isArray(live)) return live;
  const nodeOf = ownedItems(children, fields);
  // Keys of so many shapes that nobody's schema has them: then every change counts.
  if (nodeOf === undefined) return live;
  return live.flatMap((value) => {
    const node = nodeOf(value);
    return node === undefined ? [] : [under(value, node)];
  });
}

/** A list's keys of more shapes than this are nobody's schema. */
const MOST_SHAPES = 16;

/**
 * Finds the node of a list's fieldsV1 that an item falls under; undefined where each item would need too many sorts of keys
 * tried.
 */
function ownedItems(
  children: readonly string[],
  fields: Node,
): ((value: unknown) => Node | undefined) | undefined {
  const byValue = new Map<string, Node>();
  const byShape = new Map<string, { readonly names: readonly string[]; readonly nodes: Map<string, Node> }>();
  for (const name of children) {
    const key: unknown = JSON.parse(name.slice(2));
    const node = fields[name] as Node;
    if (!name.startsWith("k:") || !isRecord(key)) {
      byValue.set(valueText(key), node);
      continue;
    }
    const names = Object.keys(key).sort();
    const shape = byShape.get(valueText(names)) ?? { names, nodes: new Map<string, Node>() };
    byShape.set(valueText(names), shape);
    if (byShape.size > MOST_SHAPES) return undefined;
    shape.nodes.set(valueText(names.map((each) => key[each])), node);
  }
  return (value) => {
    if (isRecord(value))
      for (const { names, nodes } of byShape.values()) {
        const node = nodes.get(valueText(names.map((name) => value[name])));
        if (node !== undefined) return node;
      }
    return byValue.size === 0 ? undefined : byValue.get(valueText(value));
  };
}

const digest = (value: unknown): string =>
  createHash("sha1")
    .update(JSON.stringify(value) ?? "")
    .digest("base64");

/**
 * Remembers what an apply led to where a webhook changes our values, so that `wouldChange` alone would say true for ever.
 * A loss costs one needless apply for each object.
 */
export class AppliedMemo {
  readonly #known = new Map<string, string>();
  readonly #limit: number;
  /** `limit`: objects remembered; the one noted longest ago is forgotten first. */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** After an apply: `answer` is its whole answer. Only what `wouldChange` misjudges is kept. */
  note(desired: KubeObject, answer: KubeObject, options: WouldChangeOptions): void {
    const key = keyOf(answer, options);
    this.#known.delete(key);
    const { resourceVersion: _sent, ...metadata } = desired.metadata;
    if (!wouldChange({ ...desired, metadata }, answer, options)) return;
    const outcome = outcomeOf(desired, answer, options);
    if (outcome === undefined) return;
    this.#known.set(key, outcome);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#limit) break;
      this.#known.delete(oldest);
    }
  }

  /** True where the same body was applied before and everything under our fields is still as it was after that. */
  knows(desired: KubeObject, live: KubeObject, options: WouldChangeOptions): boolean {
    const known = this.#known.get(keyOf(live, options));
    return known !== undefined && known === outcomeOf(desired, live, options);
  }
}

const keyOf = (live: KubeObject, { fieldManager, subresource }: WouldChangeOptions): string =>
  `${live.metadata.uid ?? ""} ${subresource ?? ""} ${fieldManager}`;

function outcomeOf(
  desired: KubeObject,
  live: KubeObject,
  { fieldManager, subresource }: WouldChangeOptions,
): string | undefined {
  const entry = applyEntry(live, fieldManager, subresource);
  if (entry?.fieldsV1 === undefined) return undefined;
  return digest([
    desired.apiVersion,
    decided(desired, subresource),
    entry.apiVersion,
    entry.fieldsV1,
    under(decided(live, subresource), entry.fieldsV1),
  ]);
}
