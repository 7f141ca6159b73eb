import { isUtf8 } from "node:buffer";
import { contentOf, Sealed } from "../function/sealed.ts";
import { TerminalError } from "../function/terminal-error.ts";
import type { Kind } from "../kube/kind.ts";

type Fields = Readonly<Record<string, unknown>>;

type Opening = (content: Buffer, path: string) => string;
const inBase64: Opening = (content) => content.toString("base64");

/** The fields of a kind that hold what was sealed, and how they say it. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Opening>>>> = {
  "/Secret": { data: inBase64 },
  "/ConfigMap": { binaryData: inBase64, data: asText },
};

/**
 * The fields of an object as they are sent: sealed values of a Secret's `data` or a ConfigMap's `binaryData` in base64, those of a
 * ConfigMap's `data` as text.
 * @throws TerminalError `SEALED_ELSEWHERE` where one stands in any other place, or is no text where one must stand
 */
export function unsealed({ group, kind }: Pick<Kind, "group" | "kind">, fields: Fields): Fields {
  const opens = FIELDS[`${group}/${kind}`] ?? {};
  const entries = Object.entries(fields).map(([field, value]) => {
    const open = Object.hasOwn(opens, field) ? opens[field] : undefined;
    if (open === undefined || value instanceof Sealed || typeof value !== "object" || value === null) {
      refuse(kind, field, value);
      return [field, value];
    }
    const opened = Object.entries(value).map(([key, one]) => {
      if (one instanceof Sealed) return [key, open(contentOf(one), `${kind}: ${field}.${key}`)];
      refuse(kind, `${field}.${key}`, one);
      return [key, one];
    });
    return [field, Object.fromEntries(opened)];
  });
  return Object.fromEntries(entries);
}

function asText(content: Buffer, path: string): string {
  if (isUtf8(content)) return content.toString();
  throw new TerminalError(`${path} is no text: put it into the binaryData.`, { code: "SEALED_ELSEWHERE" });
}

function refuse(kind: string, path: string, value: unknown): void {
  if (value instanceof Sealed)
    throw new TerminalError(
      `${kind}: ${path} is sealed: only the data of a Secret, and the data and binaryData of a ConfigMap may hold it.`,
      { code: "SEALED_ELSEWHERE" },
    );
  if (typeof value !== "object" || value === null) return;
  for (const [key, one] of Object.entries(value)) refuse(kind, `${path}.${key}`, one);
}
