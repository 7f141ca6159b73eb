import { createHash } from "node:crypto";
import { compare } from "../../../../shared/kube/objects.ts";

/** Properties by name; a value that is undefined takes an earlier one away. */
export type Properties = Readonly<Record<string, string | undefined>>;

const control: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f" };
const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll(/[\n\r\t\f]/g, (letter) => control[letter] ?? letter);
const keyText = (key: string): string =>
  escaped(key)
    .replaceAll(/[ :=]/g, (letter) => `\\${letter}`)
    .replace(/^[#!]/, (letter) => `\\${letter}`);
const valueText = (value: string): string =>
  escaped(value).replace(/^ +/, (spaces) => "\\ ".repeat(spaces.length));

/** A properties file, sorted by key: the same properties always give the same text. */
export const propertiesFile = (properties: Properties): string =>
  Object.entries(properties)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .sort(([one], [other]) => compare(one, other))
    .map(([key, value]) => `${keyText(key)}=${valueText(value)}\n`)
    .join("");

/** Hex SHA-256. */
export const digestOf = (...texts: readonly string[]): string =>
  createHash("sha256").update(texts.join(",")).digest("hex");
