/**
 * True where upstream would take the text for a URL. It is far less strict than the web's own rule (no scheme is needed, a path
 * may hold anything but broken escapes), and a text that it lets through must not become an invalid spec here.
 */
export function isUrl(text: string): boolean {
  if (hasControlCharacter(text)) return false;
  const [before = "", fragment = ""] = splitOnce(text, "#");
  if (hasBrokenEscape(fragment)) return false;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(before)?.[0] ?? "";
  const rest = splitOnce(before.slice(scheme.length), "?")[0] ?? "";
  if (rest.startsWith(":") && scheme === "") return false;
  if (!rest.startsWith("//")) {
    // A colon in the first segment would make it a scheme that is none.
    const [segment = ""] = rest.split("/");
    return (scheme !== "" || !segment.includes(":")) && !hasBrokenEscape(rest);
  }
  const [authority = ""] = rest.slice(2).split("/");
  return isAuthority(authority) && !hasBrokenEscape(rest);
}

const splitOnce = (text: string, mark: string): readonly string[] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};
const hasBrokenEscape = (text: string): boolean => /%(?![0-9a-f]{2})/i.test(text);
const hasControlCharacter = (text: string): boolean =>
  [...text].some((character) => character < " " || character === "\u007f");

function isAuthority(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return !/[\s<>"]/.test(host) && /^(\[[^\]]*\]|[^:[\]]*)(:\d*)?$/.test(host);
}
