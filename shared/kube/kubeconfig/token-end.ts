/**
 * The end of a JSON web token, in milliseconds since the epoch; undefined where it does not say. Throws a SyntaxError for a text
 * that is no such token.
 */
export function tokenEnd(token: string): number | undefined {
  const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  const { exp } = payload as { readonly exp?: unknown };
  return typeof exp === "number" ? exp * 1000 : undefined;
}
