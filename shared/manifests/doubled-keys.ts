import { isMap, isScalar, isSeq } from "yaml";
import { pathTo } from "../json/doubled-keys.ts";

/** The keys that stand twice in one map of a document of YAML, as paths. Kubernetes reads the last one. */
export function doubledYamlKeys(node: unknown, path = ""): readonly string[] {
  if (isSeq(node)) return node.items.flatMap((item, at) => doubledYamlKeys(item, pathTo(path, String(at))));
  if (!isMap(node)) return [];
  const seen = new Set<string>();
  return node.items.flatMap(({ key, value }): readonly string[] => {
    // Several maps may be merged into one, each by a key that is a symbol.
    const name = isScalar(key) && typeof key.value !== "symbol" ? String(key.value) : undefined;
    const inner = doubledYamlKeys(value, pathTo(path, name ?? "?"));
    if (name === undefined) return inner;
    const again = seen.has(name) ? [pathTo(path, name)] : [];
    seen.add(name);
    return [...again, ...inner];
  });
}
