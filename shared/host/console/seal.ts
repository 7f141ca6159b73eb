import type { Change, ObjectDiff } from "./diff.ts";

/** The stand-in for a secret. */
export const SEALED = "(sealed)";
/** The whole object as somebody applied it, whatever it holds. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const IN_NAME = /passw(?:or)?d|passphrase|token|api[-_.]?key|private[-_.]?key|credential|secret/i;
/** The names whose values may be secrets. References by name (`secretName`, `secretKeyRef`) are not among them. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|token|api[-_.]?key|private[-_.]?key|credential|secret(?![-_.]?(?:name|key[-_.]?ref|ref))/i;
/** No text is told beyond this: what a tenant writes must not keep the host busy. */
const LONGEST_TEXT = 16_384;
const CUT = "… cut";

/**
 * The places of a text where a value has a name of its own, which decides whether it is sealed: lines of properties or YAML,
 * JSON, queries. Each takes the whole name at once and looks at it afterwards: with the words inside, one long name would be
 * tried at every place where a word stands in it.
 */
const NAMED: readonly RegExp[] = [
  /^(?<head>[ \t]*(?<name>[\w.\-[\]"']+)[ \t]*[=:][ \t]*)\S.*$/gm,
  /(?<head>"(?<name>[\w.-]+)"\s*:\s*")(?:[^"\\]|\\.)*(?="|$)/g,
  /(?<head>[?&;](?<name>[\w.-]+)=)[^&;\s"']+/g,
];
/** The places of a text where a secret stands under any name: addresses, headers, keys. */
const NAMELESS: readonly RegExp[] = [
  /([a-z0-9+.-]:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi,
  /(\b(?:Bearer|Basic)\s+)[\w.~+/=-]{6,}/gi,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
];
/** An address whose password the cut has left without its end. */
const CUT_ADDRESS = /(:\/\/[^\s/:@]*:)[^\s/@]*$/;

/** A text without its secrets. Beyond `limit` characters it is cut. Takes as long as the text is, whatever it says. */
export function sealedText(text: string, limit = LONGEST_TEXT): string {
  const isLong = text.length > limit;
  let told = isLong ? text.slice(0, limit) : text;
  for (const pattern of NAMED)
    told = told.replace(pattern, (whole, ...rest: unknown[]) => {
      const { head, name } = rest.at(-1) as { readonly head: string; readonly name: string };
      return IN_NAME.test(name) ? `${head}${SEALED}` : whole;
    });
  for (const pattern of NAMELESS) told = told.replace(pattern, `$1${SEALED}`);
  return isLong ? `${told.replace(CUT_ADDRESS, `$1${SEALED}`)}${CUT}` : told;
}

/** A difference without secrets: that one changed is seen, not what it is. */
export const sealedDiff = ({ subject, change, changes }: ObjectDiff): ObjectDiff => {
  const isSecret = subject.startsWith("/Secret/");
  return { subject, change, changes: changes.map((one) => sealedChange(one, isSecret)) };
};

function sealedChange(change: Change, isSecret: boolean): Change {
  const { path, from, to } = change;
  const whole = (isSecret && /^(data|stringData)\b/.test(path)) || path.includes(LAST_APPLIED);
  const named = isNamedSecret(path);
  const seal = (value: unknown): unknown =>
    whole || (named && typeof value === "string") ? SEALED : sealed(value);
  return { path, ...("from" in change && { from: seal(from) }), ...("to" in change && { to: seal(to) }) };
}

const isNamedSecret = (path: string): boolean => {
  const variable = /\[([\w./-]+)\]\.value$/.exec(path);
  if (variable !== null) return SECRET_NAME.test(variable[1] ?? "");
  const last = /(?:\["([^"]*)"\]|(?<![\w-])([\w-]+))$/.exec(path);
  return SECRET_NAME.test(last?.[1] ?? last?.[2] ?? "");
};

/** A value without what its names, or the lines of its text, say to be secret. Objects of named parts keep their shape. */
export function sealed(value: unknown): unknown {
  if (typeof value === "string") return sealedText(value);
  if (Array.isArray(value)) return value.map(sealed);
  if (typeof value !== "object" || value === null) return value;
  // An environment variable names itself in a field.
  const named = (value as { readonly name?: unknown }).name;
  const isVariable = typeof named === "string" && SECRET_NAME.test(named);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const hides = typeof inner === "string" && (SECRET_NAME.test(name) || (isVariable && name === "value"));
      return [name, hides || name === LAST_APPLIED ? SEALED : sealed(inner)];
    }),
  );
}
