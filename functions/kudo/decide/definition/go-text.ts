import type { ObjectReference } from "../../kinds/index.ts";

const SHORT: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};
const escaped = (character: string): string => {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (/[\p{L}\p{M}\p{N}\p{P}\p{S}]| /u.test(character)) return character;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
};

/** A text as Go's %q prints it: the messages that users' scripts look for are made so. */
export const quoted = (text: string): string => `"${Array.from(text, escaped).join("")}"`;

/** Texts as Go's %v prints a list of them. */
export const listed = (texts: readonly string[]): string => `[${texts.join(" ")}]`;

/** A reference as Go prints its fields one after the other. */
export const referenceText = (reference: ObjectReference | undefined): string => {
  const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = reference ?? {};
  return `{${[kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath].map((field) => field ?? "").join(" ")}}`;
};
