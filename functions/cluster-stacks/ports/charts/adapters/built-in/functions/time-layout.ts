import { RE2JS } from "re2js";

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** The parts of Go's reference time, the longer before those that they begin with. */
const PARTS =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|2006|__2|002|_2|01|02|03|04|05|06|15|PM|pm|Z07:00:00|Z07:00|Z0700|Z07|-07:00:00|-07:00|-0700|-07|[.,]0+(?!\d)|[.,]9+(?!\d)|1|2|3|4|5/g;

interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly milliseconds: number;
  /** Minutes east of Greenwich. */
  readonly offset: number;
  readonly zone: string;
}

/** A moment in a zone; one that nobody knows is UTC. */
function momentOf(date: Date, zone: string): Moment {
  const isUtc = ["", "UTC", "Local"].includes(zone);
  const offset = isUtc ? 0 : offsetOf(date, zone);
  const there = new Date(date.getTime() + (offset ?? 0) * 60_000);
  return {
    year: there.getUTCFullYear(),
    month: there.getUTCMonth(),
    day: there.getUTCDate(),
    weekday: there.getUTCDay(),
    hour: there.getUTCHours(),
    minute: there.getUTCMinutes(),
    second: there.getUTCSeconds(),
    milliseconds: there.getUTCMilliseconds(),
    offset: offset ?? 0,
    zone: isUtc || offset === undefined ? "UTC" : shortName(date, zone),
  };
}

function partOf(date: Date, zone: string, name: "longOffset" | "short"): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: name })
      .formatToParts(date)
      .find(({ type }) => type === "timeZoneName")?.value;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
function offsetOf(date: Date, zone: string): number | undefined {
  const text = partOf(date, zone, "longOffset");
  if (text === undefined) return undefined;
  const [, sign, hours = "0", minutes = "0"] = /GMT([-+])(\d+):?(\d+)?/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
const shortName = (date: Date, zone: string): string => partOf(date, zone, "short") ?? "UTC";

const two = (value: number): string => String(value).padStart(2, "0");

function zoned(offset: number, part: string): string {
  if (part.startsWith("Z") && offset === 0) return "Z";
  const size = Math.abs(offset);
  const sign = offset < 0 ? "-" : "+";
  const [hours, minutes] = [two(Math.floor(size / 60)), two(size % 60)];
  const tail = part.slice(1);
  if (tail === "07") return sign + hours;
  if (tail === "0700") return sign + hours + minutes;
  return `${sign}${hours}:${minutes}${tail === "07:00:00" ? ":00" : ""}`;
}

function shown(part: string, at: Moment): string {
  const twelve = at.hour % 12 === 0 ? 12 : at.hour % 12;
  const month = MONTHS[at.month] ?? "";
  const weekday = DAYS[at.weekday] ?? "";
  const table: Readonly<Record<string, string>> = {
    January: month,
    Jan: month.slice(0, 3),
    Monday: weekday,
    Mon: weekday.slice(0, 3),
    MST: at.zone,
    "2006": String(at.year).padStart(4, "0"),
    "06": two(at.year % 100),
    "01": two(at.month + 1),
    "1": String(at.month + 1),
    "02": two(at.day),
    _2: String(at.day).padStart(2),
    "2": String(at.day),
    "15": two(at.hour),
    "03": two(twelve),
    "3": String(twelve),
    "04": two(at.minute),
    "4": String(at.minute),
    "05": two(at.second),
    "5": String(at.second),
    PM: at.hour < 12 ? "AM" : "PM",
    pm: at.hour < 12 ? "am" : "pm",
  };
  const text = table[part];
  if (text !== undefined) return text;
  if (/^[Z-]/.test(part)) return zoned(at.offset, part);
  if (part === "002" || part === "__2") {
    const days = Math.round((Date.UTC(at.year, at.month, at.day) - Date.UTC(at.year, 0, 1)) / 86_400_000) + 1;
    return String(days).padStart(3, part === "002" ? "0" : " ");
  }
  const fraction = String(at.milliseconds)
    .padStart(3, "0")
    .padEnd(9, "0")
    .slice(0, part.length - 1);
  if (part[1] === "0") return `${part[0]}${fraction}`;
  const short = fraction.replace(/0+$/, "");
  return short === "" ? "" : `${part[0]}${short}`;
}

/** A time in the form of Go's reference time, `2006-01-02 15:04:05`. */
export function formatted(layout: string, date: Date, zone: string): string {
  const moment = momentOf(date, zone);
  return layout.replace(PARTS, (part) => shown(part, moment));
}

/** The milliseconds since the epoch of a text in such a form; undefined where it has another one. */
export function parsedTime(layout: string, text: string): number | undefined {
  const names: string[] = [];
  let source = "";
  let end = 0;
  for (const { 0: part, index } of layout.matchAll(PARTS)) {
    source += escaped(layout.slice(end, index)) + patternOf(part);
    names.push(part);
    end = index + part.length;
  }
  // Layouts are anybody's: a pattern made of one must not take longer than the text is long.
  const matcher = RE2JS.compile(`${source}${escaped(layout.slice(end))}`).matcher(text);
  if (!matcher.matches()) return undefined;
  let [year, month, day, hour, minute, second, offset, afternoon] = [0, 1, 1, 0, 0, 0, 0, false];
  for (const [index, name] of names.entries()) {
    const value = matcher.group(index + 1) ?? "";
    const number = Number(value);
    if (name === "2006") year = number;
    else if (name === "06") year = number < 69 ? 2000 + number : 1900 + number;
    else if (["01", "1"].includes(name)) month = number;
    else if (name.startsWith("Jan")) month = MONTHS.findIndex((one) => one.startsWith(value.slice(0, 3))) + 1;
    else if (["02", "2", "_2"].includes(name)) day = number;
    else if (["15", "03", "3"].includes(name)) hour = number;
    else if (["04", "4"].includes(name)) minute = number;
    else if (["05", "5"].includes(name)) second = number;
    else if (name.toUpperCase() === "PM") afternoon = value.toUpperCase() === "PM";
    else if (/^[-Z]/.test(name) && value !== "Z") {
      const digits = value.replace(/\D/g, "").padEnd(4, "0");
      offset =
        (value.startsWith("-") ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4)));
    }
  }
  if (afternoon && hour < 12) hour += 12;
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  time.setUTCHours(hour, minute, second, 0);
  const isReal = time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  return isReal ? time.getTime() - offset * 60_000 : undefined;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
function patternOf(part: string): string {
  if (part === "2006") return "(\\d{4})";
  if (/^(01|02|03|04|05|06|15)$/.test(part)) return "(\\d{2})";
  if (/^[1-5]$/.test(part) || part === "_2") return " ?(\\d{1,2})";
  if (/^(January|Jan|Monday|Mon|MST|PM|pm)$/.test(part)) return "([A-Za-z]{2,9})";
  if (/^[.,]/.test(part)) return "([.,]\\d{1,9})?";
  return /^[-Z]/.test(part) ? "(Z|[-+][\\d:]{2,8})" : "(\\d{1,3})";
}
