import { isIPv4, isIPv6 } from "node:net";
import { type Environment, Optional } from "@marcbachmann/cel-js";
import { sameJson } from "../../../shared/json/same-json.ts";
import { patternOf } from "../../../shared/kube/validation/pattern.ts";
import { jsonValue } from "./value.ts";

type List = readonly unknown[];

const comparable = (value: unknown): number | bigint | string =>
  typeof value === "number" || typeof value === "bigint" || typeof value === "string"
    ? value
    : value instanceof Date
      ? value.getTime()
      : Number(value);
const lowest = (list: List): unknown => extreme(list, "min", (a, b) => a < b);
const highest = (list: List): unknown => extreme(list, "max", (a, b) => a > b);

function extreme(
  list: List,
  name: string,
  better: (a: number | bigint | string, b: number | bigint | string) => boolean,
): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, item) => (better(comparable(item), comparable(best)) ? item : best));
}

function sum(list: List): unknown {
  const first = list[0];
  if (first === undefined) return 0n;
  if (typeof first === "bigint")
    return list.reduce<bigint>((total, item) => total + BigInt(item as bigint), 0n);
  return list.reduce<number>((total, item) => total + Number(item), 0);
}

const isSorted = (list: List): boolean =>
  list.every((item, index) => index === 0 || comparable(list[index - 1]) <= comparable(item));
const position = (list: List, wanted: unknown): bigint =>
  BigInt(list.findIndex((item) => sameJson(jsonValue(item), jsonValue(wanted))));
const lastPosition = (list: List, wanted: unknown): bigint =>
  BigInt(list.findLastIndex((item) => sameJson(jsonValue(item), jsonValue(wanted))));

function replace(text: string, from: string, to: string, times: bigint): string {
  if (times < 0n) return text.replaceAll(from, () => to);
  let out = text;
  let at = 0;
  for (let count = 0n; count < times; count++) {
    const found = out.indexOf(from, at);
    if (found < 0) break;
    out = out.slice(0, found) + to + out.slice(found + from.length);
    at = found + to.length;
  }
  return out;
}

function split(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  const parts = text.split(separator);
  const most = Number(limit);
  return limit < 0n || parts.length <= most
    ? parts
    : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

/** `%s`, `%d` and the like, as far as messages use them. */
function format(text: string, values: List): string {
  let next = 0;
  return text.replace(/%(?:\.(\d+))?([sdfeboxX%])/g, (_, precision: string | undefined, verb: string) => {
    if (verb === "%") return "%";
    const value = values[next++];
    if (verb === "f") return Number(value).toFixed(precision === undefined ? 6 : Number(precision));
    if (verb === "e") return Number(value).toExponential(precision === undefined ? 6 : Number(precision));
    const base = { b: 2, o: 8, x: 16, X: 16 }[verb];
    const shown =
      base === undefined
        ? Array.isArray(value)
          ? `[${value.map(String).join(", ")}]`
          : String(value)
        : BigInt(Number(value)).toString(base);
    return verb === "X" ? shown.toUpperCase() : shown;
  });
}

const isZero = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === "" ||
  value === 0 ||
  value === 0n ||
  (Array.isArray(value) && value.length === 0) ||
  (value instanceof Map && value.size === 0);

const isUrl = (text: string): boolean => URL.canParse(text) || text.startsWith("/");

function urlPart(text: string, part: (url: URL) => string): string {
  return part(new URL(text, "relative:/"));
}

const isCidr = (text: string): boolean => {
  const [address = "", bits = "", ...rest] = text.split("/");
  return (
    rest.length === 0 &&
    /^\d+$/.test(bits) &&
    ((isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128))
  );
};

/** The functions that Kubernetes adds to CEL, as far as the library does not bring them. */
const functions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  "list.sum(): dyn": sum,
  "list.min(): dyn": lowest,
  "list.max(): dyn": highest,
  "list.isSorted(): bool": isSorted,
  "list.indexOf(dyn): int": position,
  "list.lastIndexOf(dyn): int": lastPosition,
  "string.find(string): string": (text: string, pattern: string) =>
    patternOf(pattern).findAll(text, 1)[0] ?? "",
  "string.findAll(string): list": (text: string, pattern: string) => patternOf(pattern).findAll(text),
  "string.findAll(string, int): list": (text: string, pattern: string, most: bigint) =>
    patternOf(pattern).findAll(text, Number(most)),
  "string.lowerAscii(): string": (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  "string.upperAscii(): string": (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  "string.trim(): string": (text: string) => text.trim(),
  "string.charAt(int): string": (text: string, at: bigint) => [...text][Number(at)] ?? "",
  "string.replace(string, string): string": (text: string, from: string, to: string) =>
    replace(text, from, to, -1n),
  "string.replace(string, string, int): string": replace,
  "string.split(string): list<string>": (text: string, separator: string) => split(text, separator, -1n),
  "string.split(string, int): list<string>": split,
  "list.distinct(): list": (list: List) => [
    ...new Map(list.map((item) => [JSON.stringify(jsonValue(item)), item])).values(),
  ],
  "list.first(): optional": (list: List) => Optional.of(list[0]),
  "list.last(): optional": (list: List) => Optional.of(list.at(-1)),
  "OptionalNamespace.ofNonZeroValue(dyn): optional": (_: unknown, value: unknown) =>
    isZero(value) ? Optional.none() : Optional.of(value),
  "list.reverse(): list": (list: List) => [...list].reverse(),
  "list.slice(int, int): list": (list: List, from: bigint, to: bigint) =>
    list.slice(Number(from), Number(to)),
  "list.sort(): list": (list: List) =>
    [...list].sort((a, b) => (comparable(a) < comparable(b) ? -1 : comparable(a) > comparable(b) ? 1 : 0)),
  "string.format(list): string": format,
  "string.getQuery(): map": (text: string) => {
    const { searchParams } = new URL(text, "relative:/");
    return new Map([...new Set(searchParams.keys())].map((key) => [key, searchParams.getAll(key)]));
  },
  "isURL(string): bool": isUrl,
  "url(string): string": (text: string) => {
    if (!isUrl(text))
      throw new Error(`URL parse error during conversion from string: invalid URI for request: "${text}"`);
    return text;
  },
  "string.getScheme(): string": (text: string) =>
    urlPart(text, (url) => (url.protocol === "relative:" ? "" : url.protocol.slice(0, -1))),
  "string.getHost(): string": (text: string) => urlPart(text, (url) => url.host),
  "string.getHostname(): string": (text: string) => urlPart(text, (url) => url.hostname),
  "string.getPort(): string": (text: string) => urlPart(text, (url) => url.port),
  "string.getEscapedPath(): string": (text: string) => urlPart(text, (url) => url.pathname),
  "isIP(string): bool": (text: string) => isIPv4(text) || isIPv6(text),
  "isCIDR(string): bool": isCidr,
};

/** Registers what is missing; a function that the library has already is left to it. */
export function registerKubernetesLibrary(environment: Environment): Environment {
  for (const [signature, run] of Object.entries(functions)) {
    try {
      environment.registerFunction(signature, run as (...args: unknown[]) => unknown);
    } catch (error) {
      if (!(error instanceof Error) || !/already|overlap|duplicate|conflict/i.test(error.message))
        throw error;
    }
  }
  return environment;
}
