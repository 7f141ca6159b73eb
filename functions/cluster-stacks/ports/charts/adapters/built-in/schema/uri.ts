import { isIPv6 } from "node:net";

/** The parts of a URL as Go's `net/url` takes it apart, which is how helm reads them. */
interface Parts {
  readonly scheme: string;
  readonly path: string;
}

/** True where each `%` begins two hexadecimal digits. */
const isEscaped = (text: string): boolean => !/%(?![\da-fA-F]{2})/.test(text);
const cut = (text: string, at: string): readonly [string, string | undefined] => {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + at.length)];
};

/** Takes a URL apart; undefined where Go takes it for none. */
function partsOf(text: string): Parts | undefined {
  const [url, fragment = ""] = cut(text, "#");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\x00-\x1f\x7f]/.test(url) || !isEscaped(fragment) || url.startsWith(":")) return undefined;
  const [, scheme = "", afterScheme = url] = /^([A-Za-z][A-Za-z\d+.-]*):(.*)$/s.exec(url) ?? [];
  const [rest] = cut(afterScheme, "?");
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { scheme, path: "" };
    return cut(rest, "/")[0].includes(":") || !isEscaped(rest) ? undefined : { scheme, path: rest };
  }
  if (!rest.startsWith("//") || (scheme === "" && rest.startsWith("///")))
    return isEscaped(rest) ? { scheme, path: rest } : undefined;
  const [authority, behind] = cut(rest.slice(2), "/");
  const path = behind === undefined ? "" : `/${behind}`;
  return isAuthority(authority) && isEscaped(path) ? { scheme, path } : undefined;
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  const user = authority.slice(0, Math.max(at, 0));
  return /^[\w.~:!$&'()*+,;=%@-]*$/.test(user) && isEscaped(user) && isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  const [, address] = /^\[([^\]]*)\](?::\d*)?$/.exec(host) ?? [];
  if (address !== undefined) return isIPv6(address) && !address.includes("%");
  const [, name, port] = /^(.*?)(?::([^:]*))?$/s.exec(host) ?? [];
  // Of escapes only those beyond ASCII, and the one of the percent sign.
  return (
    name !== undefined &&
    /^\d*$/.test(port ?? "") &&
    !/[:[\]]/.test(name) &&
    !/[^\w.~!$&'()*+,;=%<>"\u0080-\uffff-]/.test(name) &&
    !/%(?!25|[89a-fA-F][\da-fA-F])/.test(name)
  );
}

/** True for a URI with its scheme; `relative`: one without is taken too. Characters beyond ASCII may stand in both. */
export function isUri(text: string, { relative = false }: { readonly relative?: boolean } = {}): boolean {
  if (relative && text.includes("\\")) return false;
  const parts = partsOf(text);
  return parts !== undefined && (relative || parts.scheme !== "");
}

/** True for a URI in whose path each brace that opens is closed, and none lies in another. */
export const isUriTemplate = (text: string): boolean =>
  partsOf(text)
    ?.path.split("/")
    .every((part) => /^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(part)) === true;
