/** What Go's decoder says of a text that JavaScript could not parse. Clients show it, so it should sound familiar. */
export function goJsonError(text: string, error: SyntaxError): string {
  const at = /position (\d+)/.exec(error.message);
  const position = at === null ? text.length : Number(at[1]);
  const char = text[position];
  if (char === undefined || text.slice(position).trim().length === 0) return "unexpected end of JSON input";
  return `invalid character ${char === "'" ? `'\\''` : `'${char}'`} looking for beginning of value`;
}
