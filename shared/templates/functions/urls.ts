import { isIPv6 } from "node:net";
import { FunctionFault } from "../errors.ts";
import type { Functions } from "../function.ts";
import { Dict, kindOf, type Value } from "../values.ts";
import { fixed } from "./define.ts";

/** The parts of a URL in which other characters stand for themselves. */
type Part = "path" | "host" | "zone" | "user" | "fragment";

const UNESCAPED: Readonly<Record<Part, RegExp>> = {
  path: /^[A-Za-z0-9\-_.~$&+,/:;=@]$/,
  host: /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/,
  zone: /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/,
  user: /^[A-Za-z0-9\-_.~$&+,;=]$/,
  fragment: /^[A-Za-z0-9\-_.~$&+,/:;=?@!()*]$/,
};

const escaped = (bytes: string, part: Part): string =>
  [...bytes]
    .map((byte) =>
      UNESCAPED[part].test(byte)
        ? byte
        : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");

function fault(message: string): FunctionFault {
  return new FunctionFault(`unable to parse url: ${message}`);
}

function unescaped(text: string, part: Part): string {
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? "";
    if (byte !== "%") {
      if ((part === "host" || part === "zone") && byte < "\x80" && !UNESCAPED[part].test(byte))
        throw fault(`invalid character "${byte}" in host name`);
      out += byte;
      continue;
    }
    const code = text.slice(at, at + 3);
    if (!/^%[0-9a-fA-F]{2}$/.test(code)) throw fault(`invalid URL escape "${code}"`);
    const decoded = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (part === "host" && decoded < "\x80" && code !== "%25") throw fault(`invalid URL escape "${code}"`);
    if (part === "zone" && code !== "%25" && decoded !== " " && !UNESCAPED.host.test(decoded))
      throw fault(`invalid URL escape "${code}"`);
    out += decoded;
    at += 2;
  }
  return out;
}

const isPort = (text: string): boolean => /^(:[0-9]*)?$/.test(text);

function hostOf(scheme: string, host: string): string {
  const open = host.lastIndexOf("[");
  if (open > 0) throw fault("invalid IP-literal");
  if (open === 0) {
    const close = host.lastIndexOf("]");
    if (close < 0) throw fault("missing ']' in host");
    const port = host.slice(close + 1);
    if (!isPort(port)) throw fault(`invalid port "${port}" after host`);
    const [address = "", ...zone] = host.slice(1, close).split("%25");
    const name =
      unescaped(address, "host") + (zone.length === 0 ? "" : unescaped(`%25${zone.join("%25")}`, "zone"));
    if (!isIPv6(name.split("%")[0] ?? "")) throw fault("invalid host");
    return `[${name}]${port}`;
  }
  const isHttp = scheme === "http" || scheme === "https";
  const colon = isHttp ? host.indexOf(":") : host.lastIndexOf(":");
  if (colon >= 0 && !isPort(host.slice(colon))) throw fault(`invalid port "${host.slice(colon)}" after host`);
  return unescaped(host, "host");
}

/** The user and the password of a URL, escaped; undefined where the text is none. */
function userOf(text: string): string {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw fault("net/url: invalid userinfo");
  const colon = text.indexOf(":");
  if (colon < 0) return escaped(unescaped(text, "user"), "user");
  const [name, password] = [text.slice(0, colon), text.slice(colon + 1)];
  return `${escaped(unescaped(name, "user"), "user")}:${escaped(unescaped(password, "user"), "user")}`;
}

interface Authority {
  readonly userinfo: string;
  readonly host: string;
}

function authorityOf(scheme: string, text: string): Authority {
  const at = text.lastIndexOf("@");
  const host = hostOf(scheme, text.slice(at + 1));
  return { host, userinfo: at < 0 ? "" : userOf(text.slice(0, at)) };
}

/** The scheme of a URL, and the rest. */
function schemeOf(url: string): readonly [string, string] {
  if (url.startsWith(":")) throw fault("missing protocol scheme");
  const [, scheme, rest] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  return scheme === undefined || rest === undefined ? ["", url] : [scheme.toLowerCase(), rest];
}

/** Text before and behind the first of a mark. */
const cut = (text: string, mark: string): readonly [string, string] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};

const dictOf = (parts: Readonly<Record<string, string>>): Dict => new Dict(Object.entries(parts));
const hostnameOf = (host: string): string => {
  const colon = host.lastIndexOf(":");
  const bare = colon >= 0 && isPort(host.slice(colon)) ? host.slice(0, colon) : host;
  return bare.startsWith("[") && bare.endsWith("]") ? bare.slice(1, -1) : bare;
};

function parsed(text: string): Dict {
  const [url, fragment] = cut(text, "#");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no URL holds these.
  if (/[\x00-\x1f\x7f]/.test(url)) throw fault("net/url: invalid control character in URL");
  const empty = { scheme: "", host: "", hostname: "", path: "", query: "", opaque: "", userinfo: "" };
  const [scheme, rest] = url === "*" ? ["", ""] : schemeOf(url);
  const [before, query] = cut(rest, "?");
  const known = { ...empty, scheme, query, fragment: unescaped(fragment, "fragment") };
  if (url === "*") return dictOf({ ...known, path: "*" });
  if (!before.startsWith("/")) {
    if (scheme !== "") return dictOf({ ...known, opaque: before });
    if ((before.split("/")[0] ?? "").includes(":"))
      throw fault("first path segment in URL cannot contain colon");
  }
  const hasAuthority = before.startsWith("//") && (scheme !== "" || !before.startsWith("///"));
  const slash = hasAuthority ? before.indexOf("/", 2) : 0;
  const end = slash < 0 ? before.length : slash;
  const { host, userinfo } = hasAuthority
    ? authorityOf(scheme, before.slice(2, end))
    : { host: "", userinfo: "" };
  const path = unescaped(before.slice(end), "path");
  return dictOf({ ...known, host, hostname: hostnameOf(host), path, userinfo });
}

function partOf({ entries }: Dict, key: string): string {
  if (!entries.has(key)) return "";
  const value: Value = entries.get(key);
  if (typeof value === "string") return value;
  throw new FunctionFault(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
}

function joined(parts: Dict): string {
  const [scheme = "", host = "", path = "", query = "", opaque = "", fragment = "", userinfo = ""] = [
    ...["scheme", "host", "path", "query", "opaque", "fragment", "userinfo"],
  ].map((key) => partOf(parts, key));
  // The user goes through a URL of its own; what comes before its last part is dropped by that.
  const given = userinfo === "" ? undefined : userOfUrl(userinfo);
  let url = scheme === "" ? "" : `${scheme}:`;
  if (opaque !== "") url += opaque;
  else {
    const hasUser = given !== undefined;
    if ((scheme !== "" || host !== "" || hasUser) && (host !== "" || path !== "" || hasUser)) url += "//";
    if (hasUser) url += `${given}@`;
    url += escaped(host, "host");
    const escapedPath = path === "*" ? "*" : escaped(path, "path");
    if (escapedPath !== "" && !escapedPath.startsWith("/") && host !== "") url += "/";
    if (url === "" && (escapedPath.split("/")[0] ?? "").includes(":")) url += "./";
    url += escapedPath;
  }
  if (query !== "") url += `?${query}`;
  return fragment === "" ? url : `${url}#${escaped(fragment, "fragment")}`;
}

/** The user that Go reads out of `proto://…@host`; undefined where there is none in it. */
function userOfUrl(userinfo: string): string | undefined {
  const [url] = cut(`proto://${userinfo}@host`, "#");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no URL holds these.
  if (/[\x00-\x1f\x7f]/.test(url)) throw fault("net/url: invalid control character in URL");
  const [before] = cut(url.slice("proto:".length), "?");
  const slash = before.indexOf("/", 2);
  const authority = before.slice(2, slash < 0 ? before.length : slash);
  const { userinfo: user } = authorityOf("proto", authority);
  return authority.includes("@") ? user : undefined;
}

/** Functions on URLs. */
export const urls: Functions = {
  urlParse: fixed(["string"], ([text]) => parsed(text)),
  urlJoin: fixed(["map[string]interface {}"], ([parts]) => joined(parts)),
};
