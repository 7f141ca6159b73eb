/** What Go's decoder says of a text that JavaScript could not parse. Clients show it, so it should sound familiar. */
export function goJsonError(text: string, error: SyntaxError): string {
  const at = /position (\d+)/.exec(error.message);
  const position = at === null ? text.length : Number(at[1]);
  const char = text[position];
  if (char === undefined || text.slice(position).trim().length === 0) return "unexpected end of JSON input";
  return `invalid character ${char === "'" ? `'\\''` : `'${char}'`} looking for beginning of value`;
}

/** A JSON value as Go prints it: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (typeof value !== "object" || value === null) return value === null ? "<nil>" : String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([name, inner]) => `${name}:${goText(inner)}`).join(" ")}]`;
}
