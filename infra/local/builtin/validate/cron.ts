import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import type { JsonObject } from "../../json.ts";
import { textAt } from "../reading.ts";

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** The words that may stand for numbers, from `least` on. */
  readonly words: readonly string[];
}
const named = (least: number, words: string): Bounds => {
  const all = words.split(" ");
  return { least, most: least + all.length - 1, words: all };
};
/** Minute, hour, day of the month, month, day of the week. */
const fields: readonly Bounds[] = [
  { least: 0, most: 59, words: [] },
  { least: 0, most: 23, words: [] },
  { least: 1, most: 31, words: [] },
  named(1, "jan feb mar apr may jun jul aug sep oct nov dec"),
  named(0, "sun mon tue wed thu fri sat"),
];
const descriptors = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
const duration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** The faults of `spec.schedule` and `spec.timeZone` of a CronJob. */
export function scheduleFaults(spec: JsonObject): FieldError[] {
  const schedule = textAt(spec, "schedule");
  const errors: FieldError[] = [];
  if (schedule === "") errors.push(fault.required("spec.schedule"));
  else {
    const why = scheduleFault(schedule);
    if (why !== undefined) errors.push(fault.invalid("spec.schedule", schedule, why));
  }
  if (typeof spec.timeZone === "string") {
    const why = zoneFault(spec.timeZone);
    if (why !== undefined) errors.push(fault.invalid("spec.timeZone", spec.timeZone, why));
  }
  return errors;
}

function zoneFault(zone: string): string | undefined {
  if (zone === "") return "timeZone must be nil or non-empty string";
  if (zone.toLowerCase() === "local")
    return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  return isZone(zone) ? undefined : `unknown time zone ${zone}`;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function scheduleFault(schedule: string): string | undefined {
  if (schedule.includes("TZ")) return "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
  if (schedule.startsWith("@every ")) {
    const given = schedule.slice("@every ".length);
    return duration.test(given)
      ? undefined
      : `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(given)}`;
  }
  if (schedule.startsWith("@"))
    return descriptors.test(schedule) ? undefined : `unrecognized descriptor: ${schedule}`;
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== fields.length)
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`;
  for (const [index, bounds] of fields.entries())
    for (const range of (parts[index] ?? "").split(",").filter((one) => one !== "")) {
      const why = rangeFault(range, bounds);
      if (why !== undefined) return why;
    }
  return undefined;
}

/** One range of a field, `a`, `a-b` or `*`, with an optional step. */
function rangeFault(range: string, { least, most, words }: Bounds): string | undefined {
  const [span = "", step, ...moreSteps] = range.split("/");
  const [low = "", high, ...moreEnds] = span.split("-");
  const number = (text: string): number | string => {
    const word = words.indexOf(text.toLowerCase());
    return word < 0 ? integer(text) : least + word;
  };
  const all = low === "*" || low === "?";
  const start = all ? least : number(low);
  if (typeof start === "string") return start;
  if (!all && moreEnds.length > 0) return `too many hyphens: ${range}`;
  let end = all ? most : high === undefined ? start : number(high);
  if (typeof end === "string") return end;
  const every = step === undefined ? 1 : integer(step);
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  if (typeof every === "string") return every;
  if (step !== undefined && high === undefined) end = most;
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return every === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** A number, or why it is none. */
const integer = (text: string): number | string =>
  /^\+?\d+$/.test(text)
    ? Number(text)
    : /^-\d+$/.test(text)
      ? `negative number (${text}) not allowed: ${text}`
      : `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
