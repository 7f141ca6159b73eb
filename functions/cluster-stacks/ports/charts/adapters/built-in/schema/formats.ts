import { isIPv6 } from "node:net";
import { patternOf } from "./pattern.ts";
import { isUri, isUriTemplate } from "./uri.ts";

type Check = (text: string) => boolean;
const like =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const LABEL = /^[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const LOCAL = /^[-A-Za-z0-9!#$%&'*+/=?^_`{|}~]+(?:\.[-A-Za-z0-9!#$%&'*+/=?^_`{|}~]+)*$/;
const DURATION = /^P(?=.)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const SEMANTIC =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

const isIpv4 = (text: string): boolean =>
  /^(?:(?:0|[1-9]\d{0,2})(?:\.|$)){4}$/.test(text) &&
  !text.endsWith(".") &&
  text.split(".").every((part) => Number(part) <= 255);
/** Without a zone, which is no part of an address. */
const isPlainIpv6 = (text: string): boolean => isIPv6(text) && !text.includes("%");

function isHostname(text: string): boolean {
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  return name.length <= 253 && name.split(".").every(like(LABEL));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (at < 0 || Buffer.byteLength(text) > 254 || Buffer.byteLength(local) > 64) return false;
  // Upstream's check lets an empty one pass.
  if (local !== "" && !(/^"[^"\\]*"$/.test(local) || LOCAL.test(local))) return false;
  const address = /^\[(.*)\]$/s.exec(domain)?.[1];
  if (address === undefined) return isHostname(domain);
  return address.startsWith("IPv6:") ? isPlainIpv6(address.slice("IPv6:".length)) : isIpv4(address);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const MINUTES_A_DAY = 24 * 60;
function isTime(text: string): boolean {
  const [, hours, minutes, seconds, sign, offsetHours = "0", offsetMinutes = "0"] =
    /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|([-+])(\d{2}):(\d{2}))$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return false;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return false;
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const inUtc = (Number(hours) * 60 + Number(minutes) - offset + MINUTES_A_DAY) % MINUTES_A_DAY;
  // A leap second is the last one of a day.
  return Number(seconds) < 60 || inUtc === MINUTES_A_DAY - 1;
}
const isDateTime = (text: string): boolean =>
  /^[tT]$/.test(text[10] ?? "") && isDate(text.slice(0, 10)) && isTime(text.slice(11));

function isPeriod(text: string): boolean {
  const slash = text.indexOf("/");
  const [start, end] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (start.startsWith("P")) return DURATION.test(start) && isDateTime(end);
  return isDateTime(start) && (end.startsWith("P") ? DURATION.test(end) : isDateTime(end));
}

const CHECKS: ReadonlyMap<unknown, Check> = new Map(
  Object.entries({
    date: isDate,
    "date-time": isDateTime,
    duration: like(DURATION),
    email: isEmail,
    hostname: isHostname,
    ipv4: isIpv4,
    ipv6: isPlainIpv6,
    iri: (text) => isUri(text),
    "iri-reference": (text) => isUri(text, { relative: true }),
    "json-pointer": like(JSON_POINTER),
    period: isPeriod,
    regex: (text) => patternOf(text) !== undefined,
    "relative-json-pointer": (text) => {
      const [, rest] = /^(?:0|[1-9]\d*)(.*)$/s.exec(text) ?? [];
      return rest === "#" || (rest !== undefined && JSON_POINTER.test(rest));
    },
    semver: like(SEMANTIC),
    time: isTime,
    uri: (text) => isUri(text),
    "uri-reference": (text) => isUri(text, { relative: true }),
    "uri-template": isUriTemplate,
    uuid: like(/^[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$/),
  } satisfies Readonly<Record<string, Check>>),
);

/** True where a text has a format, or nobody knows the format. */
export const hasFormat = (format: unknown, text: string): boolean => CHECKS.get(format)?.(text) ?? true;
