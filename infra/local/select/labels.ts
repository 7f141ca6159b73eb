import { badRequest } from "../api-error.ts";

/** True where an object's labels fit. */
export type LabelMatch = (labels: Readonly<Record<string, string>>) => boolean;

const keyShape = /^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const valueShape = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

/** Parses `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>3`. Throws a 400. */
export function parseLabelSelector(text: string): LabelMatch | undefined {
  const matches = splitRequirements(text).map(requirementOf);
  if (matches.length === 0) return undefined;
  return (labels) => matches.every((match) => match(labels));
}

/** Splits at commas that are in no parentheses. */
function splitRequirements(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === "(") depth++;
    else if (char === ")") depth--;
    if (at === text.length || (char === "," && depth === 0)) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  if (parts.length === 1 && parts[0] === "") return [];
  if (parts.includes("")) throw badRequest("found ',', expected: identifier after ','");
  return parts;
}

function requirementOf(text: string): LabelMatch {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const values = new Set(list.split(",").map((value) => checkedValue(value.trim())));
    checkedKey(key);
    return operator === "in"
      ? (labels) => labels[key] !== undefined && values.has(labels[key])
      : (labels) => labels[key] === undefined || !values.has(labels[key]);
  }
  const compared = /^([^=!<>\s]+)\s*(==|=|!=|<|>)\s*([^=!<>]*)$/.exec(text);
  if (compared !== null) {
    const [, key = "", operator, raw = ""] = compared;
    const value = checkedValue(raw.trim());
    checkedKey(key);
    if (operator === "!=") return (labels) => labels[key] !== value;
    if (operator === "<" || operator === ">") {
      const bound = Number(value);
      if (!/^-?\d+$/.test(value)) throw badRequest(`for 'Gt', 'Lt' operators, the value must be an integer`);
      return (labels) => {
        const have = labels[key];
        return (
          have !== undefined &&
          /^-?\d+$/.test(have) &&
          (operator === "<" ? Number(have) < bound : Number(have) > bound)
        );
      };
    }
    return (labels) => labels[key] === value;
  }
  const absent = text.startsWith("!");
  const key = checkedKey(absent ? text.slice(1).trim() : text);
  return absent ? (labels) => labels[key] === undefined : (labels) => labels[key] !== undefined;
}

function checkedKey(key: string): string {
  if (keyShape.test(key)) return key;
  throw badRequest(
    `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  );
}
function checkedValue(value: string): string {
  if (value.length <= 63 && valueShape.test(value)) return value;
  throw badRequest(
    `unable to parse requirement: values[0][key]: Invalid value: ${JSON.stringify(value)}: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  );
}
