import { RE2JS, RE2JSException } from "re2js";
import * as z from "zod";
import { isRecord } from "../../../../shared/json/fields.ts";
import { jsonOf } from "../../../../shared/json/parse.ts";
import { beyondBounds } from "../../../../shared/manifests/bounds.ts";
import { instant, timeOfDay, WEEKDAYS } from "./moments.ts";
import { ATTRIBUTES, type Attribute, type MaintenancePolicy, type Pattern, type Rule } from "./policy.ts";
import type { Window } from "./window.ts";

/** A mistake in a policy file. */
export interface PolicyFault {
  /** The place in the file: `rules.0.windows.1.begin`. */
  readonly path: string;
  readonly message: string;
}

const textual = z.string().default("");
const window = z.object({
  days: z.array(z.string()).default([]),
  begin: z.string(),
  end: z.string(),
});
// Keys are read in lower case: files in use write globalAccountId as well as globalAccountID. Programs write null for what is not there.
const file = z.object({
  rules: z
    .array(
      z.object({
        match: z.object({
          globalaccountid: textual,
          plan: textual,
          region: textual,
          platformregion: textual,
        }),
        windows: z.array(window).default([]),
      }),
    )
    .default([]),
  default: window.optional(),
});
type WrittenWindow = z.output<typeof window>;

/** Reads a maintenance policy. A file with a mistake gives none: half of a policy would upgrade at wrong times. */
export function readMaintenancePolicy(text: string): MaintenancePolicy | readonly PolicyFault[] {
  const written = jsonOf(text);
  if (written === undefined) return [{ path: "", message: "it is no JSON" }];
  const beyond = beyondBounds(written);
  if (beyond !== undefined) return [{ path: "", message: beyond }];
  const parsed = file.safeParse(withLowerKeys(written));
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const faults: PolicyFault[] = [];
  const rules = parsed.data.rules.map(
    ({ match, windows }, index): Rule => ({
      match: Object.fromEntries(
        ATTRIBUTES.flatMap((name): readonly (readonly [Attribute, Pattern])[] => {
          const pattern = match[name.toLowerCase() as keyof typeof match];
          const compiled =
            pattern === "" ? undefined : compile(pattern, `rules.${index}.match.${name}`, faults);
          return compiled === undefined ? [] : [[name, compiled]];
        }),
      ),
      windows: windows.flatMap((one, at) => read(one, `rules.${index}.windows.${at}`, faults) ?? []),
    }),
  );
  const standard = parsed.data.default;
  const defaultWindow = standard === undefined ? undefined : read(standard, "default", faults);
  return faults.length > 0 ? faults : { rules, defaultWindow };
}

/** Policies as they were read: patterns are compiled once. */
const known = new WeakMap<object, MaintenancePolicy>();
/** The maintenance policy that a configuration holds, which was judged when it was read; undefined where it holds none. */
export function policyIn(written: object | undefined): MaintenancePolicy | undefined {
  if (written === undefined) return undefined;
  const before = known.get(written);
  if (before !== undefined) return before;
  const policy = readMaintenancePolicy(JSON.stringify(written));
  if (!("rules" in policy)) return undefined;
  known.set(written, policy);
  return policy;
}

function withLowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === null ? [] : [[key.toLowerCase(), withLowerKeys(inner)]],
    ),
  );
}

function compile(text: string, path: string, faults: PolicyFault[]): Pattern | undefined {
  try {
    const pattern = RE2JS.compile(text);
    return { text, isIn: (value) => pattern.matcher(value).find() };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    faults.push({ path, message: `"${text}" is no regular expression: ${error.message}` });
    return undefined;
  }
}

function read({ days, begin, end }: WrittenWindow, path: string, faults: PolicyFault[]): Window | undefined {
  const of = <T>(field: string, value: T | undefined, message: string): T | undefined => {
    if (value === undefined) faults.push({ path: `${path}.${field}`, message });
    return value;
  };
  if (days.length === 0) {
    const form = (text: string): string =>
      `"${text}" is no time: without days write 2026-02-03T22:00:00Z, with days 22:00:00Z`;
    const [from, to] = [of("begin", instant(begin), form(begin)), of("end", instant(end), form(end))];
    if (from === undefined || to === undefined) return undefined;
    return of("end", to > from ? { begin: from, end: to } : undefined, "it is not after the beginning");
  }
  const form = (text: string): string => `"${text}" is no time of day: write 22:00:00Z or 22:00:00+02:00`;
  const numbers = days.map((day, at) =>
    of(`days.${at}`, dayOf(day), `"${day}" is no day: write ${WEEKDAYS.join(", ")}`),
  );
  const [from, to] = [of("begin", timeOfDay(begin), form(begin)), of("end", timeOfDay(end), form(end))];
  const named = numbers.filter((day) => day !== undefined);
  if (from === undefined || to === undefined || named.length < days.length) return undefined;
  return { days: named, begin: from, end: to };
}

const dayOf = (text: string): number | undefined => {
  const found = WEEKDAYS.findIndex((day) => day.toLowerCase() === text.toLowerCase());
  return found < 0 ? undefined : found;
};
