/** A value that is being written: what of it is still to come. */
type Open =
  | { readonly items: readonly unknown[]; at: number }
  | {
      readonly fields: Readonly<Record<string, unknown>>;
      readonly names: readonly string[];
      at: number;
      isEmpty: boolean;
    };

/**
 * JSON with sorted keys: equal values give equal text, in whatever order a server writes its fields. Without recursion, since the
 * API server takes objects that are nested deeper than a stack reaches.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const open: Open[] = [];
  let text = "";
  let current: unknown = value;
  for (;;) {
    if (current === null || typeof current !== "object") text += JSON.stringify(current) ?? "null";
    else if (Array.isArray(current)) {
      text += "[";
      open.push({ items: current, at: 0 });
    } else {
      text += "{";
      const fields = current as Readonly<Record<string, unknown>>;
      open.push({ fields, names: Object.keys(fields).sort(), at: 0, isEmpty: true });
    }
    let more = false;
    while (!more) {
      const inner = open.at(-1);
      if (inner === undefined) return text;
      if ("items" in inner) {
        if (inner.at < inner.items.length) {
          if (inner.at > 0) text += ",";
          current = inner.items[inner.at++];
          more = true;
          continue;
        }
        text += "]";
        open.pop();
        continue;
      }
      const name = inner.names[inner.at++];
      if (name === undefined) {
        text += "}";
        open.pop();
        continue;
      }
      current = inner.fields[name];
      if (current === undefined) continue;
      text += `${inner.isEmpty ? "" : ","}${JSON.stringify(name)}:`;
      inner.isEmpty = false;
      more = true;
    }
  }
}
