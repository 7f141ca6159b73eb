import { type Document, isAlias, isMap, isScalar, isSeq, type Node, visit } from "yaml";

/** The number of keys that merges (`<<: *anchor`) copy within a document: the library copies them all before anybody can count. */
export function mergedKeys(document: Document): number {
  const sizes = new Map<string, number>();
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return sizes.get(node.source) ?? 0;
    if (isSeq(node)) return node.items.reduce((sum: number, item) => sum + sizeOf(item), 0);
    if (!isMap(node)) return 0;
    return node.items.reduce(
      (sum, { key, value }) => sum + (isScalar(key) && key.value === "<<" ? sizeOf(value) : 1),
      0,
    );
  };
  let merged = 0;
  visit(document, {
    // An anchor may be merged only where it stands further up, so each is known before it is asked for.
    Node: (_, node: Node) => {
      if ("anchor" in node && node.anchor !== undefined) sizes.set(node.anchor, sizeOf(node));
    },
    Pair: (_, { key, value }) => {
      if (isMerge(key)) merged += sizeOf(value);
    },
  });
  return merged;
}

const isMerge = (key: unknown): boolean =>
  (isScalar(key) && (key.value === "<<" || typeof key.value === "symbol")) || false;
