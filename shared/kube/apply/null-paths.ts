import { isRecord } from "../../json/fields.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";

/** A map of which an apply drops every key: the server makes null of it, and refuses that. */
const BECAME_NULL = /Invalid value: "?null"?/;

/**
 * The JSON pointers of what the server refused because it would become null, as far as the object holds it; empty for any other refusal.
 * What is refused for a value that is null in the object itself is among them too: without it the apply may go through.
 */
export function nullPathsOf(error: unknown, live: KubeObject): readonly string[] {
  if (!(error instanceof KubeError) || error.kind !== "invalid" || error.status?.code !== 422) return [];
  const fields = (error.status.details?.causes ?? []).flatMap(({ field, message = "" }) =>
    field !== undefined && BECAME_NULL.test(message) ? [field] : [],
  );
  return [...new Set(fields.flatMap((field) => pointerTo(live, field) ?? []))];
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The pointer to a field as the server names it: `spec.ports[0].labels[a.b/c]`. Names may hold dots, so the object decides. */
function pointerTo(value: unknown, field: string): string | undefined {
  if (field === "") return "";
  const [, bracket] = /^\[([^\]]*)\]/.exec(field) ?? [];
  if (bracket !== undefined) return below(value, bracket, field.slice(bracket.length + 2));
  if (!isRecord(value)) return undefined;
  const text = field.startsWith(".") ? field.slice(1) : field;
  // The longest name first: one that holds a dot hides a shorter one.
  const names = Object.keys(value).filter(
    (name) => text === name || text.startsWith(`${name}.`) || text.startsWith(`${name}[`),
  );
  for (const name of names.sort((a, b) => b.length - a.length)) {
    const found = below(value, name, text.slice(name.length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function below(value: unknown, name: string, rest: string): string | undefined {
  const inner = Array.isArray(value)
    ? value[Number(name)]
    : isRecord(value) && Object.hasOwn(value, name)
      ? value[name]
      : undefined;
  if (inner === undefined) return undefined;
  const found = pointerTo(inner, rest);
  return found === undefined ? undefined : `/${escaped(name)}${found}`;
}
