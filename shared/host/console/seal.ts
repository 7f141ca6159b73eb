import type { Change, ObjectDiff } from "./diff.ts";

/** What stands where a secret was. */
export const SEALED = "(sealed)";
/** The whole object as somebody applied it, whatever it holds. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const WORDS = "passw(?:or)?d|passphrase|token|api[-_.]?key|private[-_.]?key|credential|secret";
/** What a name says that its value may be. References by name (`secretName`, `secretKeyRef`) are none. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|token|api[-_.]?key|private[-_.]?key|credential|secret(?![-_.]?(?:name|key[-_.]?ref|ref))/i;
/** Where secrets stand in a text, each after what may stay: lines of properties or YAML, JSON, queries, addresses, headers. */
const IN_TEXT: readonly RegExp[] = [
  new RegExp(`^([ \\t]*[\\w.\\-[\\]"']*(?:${WORDS})[\\w.\\-[\\]"']*[ \\t]*[=:][ \\t]*)\\S.*$`, "gim"),
  new RegExp(`("[\\w.-]*(?:${WORDS})[\\w.-]*"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*(?=")`, "gi"),
  new RegExp(`([?&;][\\w.-]*(?:${WORDS})[\\w.-]*=)[^&;\\s"']+`, "gi"),
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi,
  /(\b(?:Bearer|Basic)\s+)[\w.~+/=-]{6,}/gi,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
];

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
  const last = /(?:\["([^"]*)"\]|([\w-]+))$/.exec(path);
  return SECRET_NAME.test(last?.[1] ?? last?.[2] ?? "");
};

/** A value without what its names, or the lines of its text, say to be secret. Objects of named parts keep their shape. */
export function sealed(value: unknown): unknown {
  if (typeof value === "string")
    return IN_TEXT.reduce((text, secret) => text.replace(secret, `$1${SEALED}`), value);
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
