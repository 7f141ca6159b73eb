import { fieldOf, fieldsOf } from "../../../../shared/json/fields.ts";
import type { Configuration } from "../../configuration.ts";
import type { SourceCredentials } from "../../ports/releases/index.ts";

/** The source of those that name none. */
export const DEFAULT_SOURCE = "default";

type Sources = Configuration["sources"];

/** The place of a Secret with credentials. */
export interface SecretPlace {
  readonly apiVersion: "v1";
  readonly kind: "Secret";
  readonly name: string;
  readonly namespace: string;
}

/** The Secret with which the objects of a namespace ask a source; undefined: they need none. */
export function secretOf(sources: Sources, source: string, namespace: string): SecretPlace | undefined {
  const name = Object.hasOwn(sources, source) ? sources[source]?.secretName : undefined;
  return name === undefined ? undefined : { apiVersion: "v1", kind: "Secret", name, namespace };
}

/** The credentials that a Secret holds, or in words what it lacks; these never hold a value. */
export type FoundCredentials = { readonly credentials: SourceCredentials } | { readonly lacks: string };

/** Reads the credentials of a source from its Secret: `token`, or for a registry `username` and `password`. */
export function credentialsIn(
  settings: Sources[string] | undefined,
  { name, namespace }: SecretPlace,
  secret: object | undefined,
): FoundCredentials {
  const place = `Secret ${namespace}/${name}`;
  const isRegistry = settings?.oci !== undefined;
  const wanted = isRegistry ? "username and password, or token" : "token";
  if (secret === undefined) return { lacks: `there is no ${place}: make it, with the data ${wanted}` };
  const data = fieldsOf(fieldOf(secret, "data"));
  const [token, username, password] = ["token", "username", "password"].map((key) => textIn(data, key));
  const odd = Object.entries({ token, ...(isRegistry && { username, password }) }).find(
    ([, text]) => text === "odd",
  );
  if (odd !== undefined)
    return { lacks: `${place}: ${odd[0]} is no credential: one line is wanted, without spaces` };
  if (isText(token)) return { credentials: { token: token.text } };
  if (isRegistry && isText(username) && isText(password))
    return { credentials: { username: username.text, password: password.text } };
  const missing =
    isRegistry && isText(username) ? "password" : isRegistry && isText(password) ? "username" : "token";
  const hint = missing === "token" && isRegistry ? `, nor username and password` : "";
  return { lacks: `${place} has no ${missing}${hint} in its data: add it` };
}

type Read = { readonly text: string } | "odd" | undefined;
const isText = (read: Read): read is { readonly text: string } => typeof read === "object";

/** A header could not hold what is odd, and the refusal would show it. */
function textIn(data: Readonly<Record<string, unknown>>, key: string): Read {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  const text = Buffer.from(value, "base64").toString("utf8").trim();
  return /^[\x21-\x7e]+$/.test(text) ? { text } : "odd";
}
