import type * as z from "zod";
import { NotStructuralError } from "./structural-error.ts";

type Words = Record<string, unknown>;

/** zod's name of a string format → the one that the API server checks. */
const FORMATS: Readonly<Record<string, string>> = {
  datetime: "date-time",
  date: "date",
  duration: "duration",
  email: "email",
  url: "uri",
  uuid: "uuid",
  guid: "uuid",
  ipv4: "ipv4",
  ipv6: "ipv6",
  base64: "byte",
};
/** Bounds that only say what the format says already. */
const INTEGERS: Readonly<Record<string, string>> = { safeint: "int64", int32: "int32", uint32: "int64" };

/**
 * The validation words of a schema's checks: lengths, bounds, patterns, formats.
 *
 * @throws NotStructuralError for checks that are code (`refine`, `trim`) and patterns that Go's RE2 cannot hold.
 */
export function checkWords(schema: z.core.$ZodTypes, path: string, says: Readonly<Words>): Words {
  const words: Words = {};
  const own = schema._zod.def as {
    readonly check?: string;
    readonly format?: string;
    readonly pattern?: RegExp;
  };
  const checks = ((schema._zod.def as { readonly checks?: readonly z.core.$ZodCheck[] }).checks ?? []).map(
    (check) => check._zod.def as z.core.$ZodChecks["_zod"]["def"],
  );
  if (own.check === "string_format") formatWords(own, path, words);
  if (own.check === "number_format")
    words.format =
      INTEGERS[own.format ?? ""] ?? own.format?.replace("float32", "float").replace("float64", "double");
  for (const check of checks) oneCheck(check, schema, path, words, says);
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
}

function oneCheck(
  check: z.core.$ZodChecks["_zod"]["def"],
  schema: z.core.$ZodTypes,
  path: string,
  words: Words,
  says: Readonly<Words>,
): void {
  const what =
    schema._zod.def.type === "array" ? "Items" : schema._zod.def.type === "record" ? "Properties" : "Length";
  switch (check.check) {
    case "greater_than":
      words.minimum = Number(check.value);
      if (!check.inclusive) words.exclusiveMinimum = true;
      return;
    case "less_than":
      words.maximum = Number(check.value);
      if (!check.inclusive) words.exclusiveMaximum = true;
      return;
    case "multiple_of":
      words.multipleOf = Number(check.value);
      return;
    case "min_length":
    case "min_size":
      words[`min${what}`] = check.minimum;
      return;
    case "max_length":
    case "max_size":
      words[`max${what}`] = check.maximum;
      return;
    case "length_equals":
      words[`min${what}`] = check.length;
      words[`max${what}`] = check.length;
      return;
    case "number_format":
      words.format = INTEGERS[check.format] ?? words.format;
      return;
    case "string_format":
      formatWords(check, path, words);
      return;
    case "overwrite":
      throw new NotStructuralError(
        path,
        "it changes the value (trim, toLowerCase); check with a pattern instead",
      );
    default:
      // A rule in CEL beside the code is what the server will enforce.
      if (says["x-kubernetes-validations"] !== undefined) return;
      throw new NotStructuralError(
        path,
        `the server cannot run its "${check.check}" check; say it in .meta({ "x-kubernetes-validations": […] })`,
      );
  }
}

function formatWords(
  check: { readonly format?: string; readonly pattern?: RegExp | undefined },
  path: string,
  words: Words,
): void {
  const format = FORMATS[check.format ?? ""];
  if (format !== undefined) words.format = format;
  else if (check.pattern !== undefined) addPattern(check.pattern, path, words);
  else throw new NotStructuralError(path, `the server knows no string format "${check.format}"`);
}

function addPattern(pattern: RegExp, path: string, words: Words): void {
  if (pattern.flags.replace(/[uv]/g, "") !== "")
    throw new NotStructuralError(path, `the pattern ${pattern} has flags, which the server does not take`);
  if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(pattern.source))
    throw new NotStructuralError(
      path,
      `the pattern ${pattern} looks around or back, which Go's regular expressions cannot`,
    );
  if (words.pattern === undefined) words.pattern = pattern.source;
  else
    words.allOf = [...((words.allOf as readonly unknown[] | undefined) ?? []), { pattern: pattern.source }];
}
