import { hash } from "node:crypto";

/** JSON with sorted keys: equal values give equal text, in whatever order a server writes its fields. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) {
    let text = "[";
    for (let index = 0; index < value.length; index++)
      text += (index === 0 ? "" : ",") + canonical(value[index]);
    return `${text}]`;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  let text = "{";
  for (const name of Object.keys(fields).sort()) {
    const field = fields[name];
    if (field === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(name)}:${canonical(field)}`;
  }
  return `${text}}`;
}

/** A short name for a text: 132 bits of its SHA-256. */
export const digest = (text: string): string => hash("sha256", text, "base64url").slice(0, 22);
