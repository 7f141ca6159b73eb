import { type Document, isAlias, isMap, isScalar, isSeq } from "yaml";

/** The number of keys that merges (`<<: *anchor`) copy within a document: the library copies them all before anybody can count. */
export function mergedKeys({ contents }: Document): number {
  /** The keys that a merge of each anchor copies; one that stands several times counts as it stood last. */
  const sizes = new Map<string, number>();
  let merged = 0;
  /** The keys that a merge of this node would copy. */
  const walk = (node: unknown): number => {
    if (isAlias(node)) return sizes.get(node.source) ?? 0;
    let size = 0;
    if (isSeq(node)) for (const item of node.items) size += walk(item);
    else if (isMap(node))
      for (const { key, value } of node.items) {
        const ofValue = walk(value);
        walk(key);
        const isMerge = isScalar(key) && (key.value === "<<" || typeof key.value === "symbol");
        if (isMerge) merged += ofValue;
        size += isMerge ? ofValue : 1;
      }
    else return 0;
    if (node.anchor !== undefined) sizes.set(node.anchor, size);
    return size;
  };
  walk(contents);
  return merged;
}
