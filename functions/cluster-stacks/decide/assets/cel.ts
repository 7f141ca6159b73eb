import { Environment } from "@marcbachmann/cel-js";
import { messageOf } from "../../../../shared/errors.ts";

const firstLine = (text: string): string => text.split("\n")[0] ?? text;

/** A sentence that says why a text is no condition about these objects; undefined where it is one. */
export function celFault(text: string, keys: readonly string[]): string | undefined {
  const environment = new Environment();
  try {
    for (const key of keys) environment.registerVariable(key, "dyn");
    const { valid, type, error } = environment.check(text);
    if (!valid) return firstLine(error?.message ?? "it is no CEL");
    return type === "bool" || type === "dyn" ? undefined : `it gives ${type}, not true or false`;
  } catch (error) {
    return firstLine(messageOf(error));
  }
}

/** True for a name that CEL can call an object by. */
export const isCelName = (key: string): boolean => celFault(`${key} == ${key}`, [key]) === undefined;
