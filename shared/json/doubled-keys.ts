/** The keys that stand twice in one object of a valid text of JSON, as paths: `rules.0.match.plan`. A parser keeps the last one and tells of none. */
export function doubledKeys(json: string): readonly string[] {
  const found: string[] = [];
  const open: { readonly path: string; readonly seen: Set<string> | undefined; key: string; at: number }[] =
    [];
  const here = (): string => {
    const { path = "", seen, key = "", at = 0 } = open.at(-1) ?? {};
    return open.length === 0 ? "" : pathTo(path, seen === undefined ? String(at) : key);
  };
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[")
      open.push({ path: here(), seen: token === "{" ? new Set() : undefined, key: "", at: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (token === "," && inner !== undefined) inner.at += 1;
    else if (text !== undefined && colon !== undefined && inner?.seen !== undefined) {
      inner.key = String(JSON.parse(text));
      if (inner.seen.has(inner.key)) found.push(here());
      inner.seen.add(inner.key);
    }
  }
  return [...new Set(found)];
}

const TOKEN = /("(?:[^"\\]|\\.)*")\s*(:)?|[{}[\],]/gs;

/** The path of a member. */
export const pathTo = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);
