import { doubledKeys } from "../../../../shared/json/doubled-keys.ts";
import { isRecord } from "../../../../shared/json/fields.ts";
import { jsonOf } from "../../../../shared/json/parse.ts";
import { ATTRIBUTES } from "./policy.ts";
import type { PolicyFault } from "./policy-file.ts";

const WINDOW = ["days", "begin", "end"] as const;

/** The keys of a policy's file that nobody reads, or that stand there twice: a word that is written wrongly leaves a rule without its windows. */
export function unreadIn(text: string): readonly PolicyFault[] {
  const file = jsonOf(text);
  return [
    ...unknown(file, ["rules", "default"], ""),
    ...itemsIn(file, "rules").flatMap((rule, index) => {
      const path = `rules.${index}`;
      return [
        ...unknown(rule, ["match", "windows"], path),
        ...unknown(valueIn(rule, "match"), ATTRIBUTES, `${path}.match`),
        ...itemsIn(rule, "windows").flatMap((one, at) => unknown(one, WINDOW, `${path}.windows.${at}`)),
      ];
    }),
    ...unknown(valueIn(file, "default"), WINDOW, "default"),
    ...(file === undefined ? [] : doubledKeys(text)).map((path) => ({
      path,
      message: "It stands there twice: the last one counts.",
    })),
  ];
}

function unknown(value: unknown, known: readonly string[], path: string): readonly PolicyFault[] {
  if (!isRecord(value)) return [];
  const read = new Set<string>();
  return Object.keys(value).flatMap((key): readonly PolicyFault[] => {
    const name = known.find((one) => one.toLowerCase() === key.toLowerCase());
    const at = path === "" ? key : `${path}.${key}`;
    if (name === undefined)
      return [{ path: at, message: `Nobody reads it: what is read here is ${known.join(", ")}.` }];
    if (read.has(name)) return [{ path: at, message: `${name} stands there twice: the last one counts.` }];
    read.add(name);
    return [];
  });
}

/** The value of the last key of that name, whichever letters are capital. */
const valueIn = (value: unknown, name: string): unknown =>
  isRecord(value)
    ? Object.entries(value).findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
    : undefined;

function itemsIn(value: unknown, name: string): readonly unknown[] {
  const items = valueIn(value, name);
  return Array.isArray(items) ? items : [];
}
