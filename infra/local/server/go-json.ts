/** Words of JavaScript's decoder, and where Go says that it was. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^Expected property name|^Expected double-quoted/, "looking for beginning of object key string"],
  [/^Expected ':'/, "after object key"],
  [/after property value/, "after object key:value pair"],
  [/after array element/, "after array element"],
  [/after JSON/, "after top-level value"],
  [/control character/, "in string literal"],
  [/escaped character/, "in string escape code"],
];

/** The words of Go's decoder about a text that JavaScript could not parse. Clients show them, so they should sound familiar. */
export function goJsonError(text: string, { message }: SyntaxError): string {
  const at = /position (\d+)/.exec(message);
  const position = at === null ? text.length : Number(at[1]);
  const char = text[position] ?? /^Unexpected token '(.)'/u.exec(message)?.[1];
  if (char === undefined || (at !== null && text.slice(position).trim().length === 0))
    return "unexpected end of JSON input";
  const place = places.find(([words]) => words.test(message))?.[1] ?? "looking for beginning of value";
  return `invalid character ${char === "'" ? `'\\''` : `'${char}'`} ${place}`;
}

/** A JSON value as Go prints it: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (typeof value !== "object" || value === null) return value === null ? "<nil>" : String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([name, inner]) => `${name}:${goText(inner)}`).join(" ")}]`;
}
