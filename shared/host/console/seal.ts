import type { Change, ObjectDiff } from "./diff.ts";

/** What stands where a secret was. */
export const SEALED = "(sealed)";
/** The whole object as somebody applied it, whatever it holds. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** What a name says that its value may be. References by name (`secretName`, `secretKeyRef`) are none. */
const SECRET_NAME =
  /passw(or)?d|passphrase|token|api[-_.]?key|private[-_.]?key|credential|secret(?![-_.]?(name|key[-_.]?ref|ref))/i;
/** `name=value` and `name: value`, as in properties, and user information in an address. */
const SECRET_LINE =
  /^(\s*[\w.\-[\]"]*(?:passw(?:or)?d|passphrase|token|api[-_.]?key|private[-_.]?key|credential|secret)[\w.\-[\]"]*\s*[=:]\s*)\S.*$/gim;
const USER_INFORMATION = /\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:)[^\s/@]+@/gi;

/** A difference without secrets: that one changed is seen, not what it is. */
export const sealedDiff = ({ subject, change, changes }: ObjectDiff): ObjectDiff => {
  const isSecret = subject.startsWith("/Secret/");
  return { subject, change, changes: changes.map((one) => sealedChange(one, isSecret)) };
};

function sealedChange(change: Change, isSecret: boolean): Change {
  const { path, from, to } = change;
  const whole =
    (isSecret && /^(data|stringData)\b/.test(path)) || path.includes(LAST_APPLIED) || isNamedSecret(path);
  const seal = (value: unknown): unknown => (whole ? SEALED : sealed(value));
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
    return value.replace(SECRET_LINE, `$1${SEALED}`).replace(USER_INFORMATION, `$1${SEALED}@`);
  if (Array.isArray(value)) return value.map(sealed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  // An environment variable names itself in a field.
  const named = (value as { readonly name?: unknown }).name;
  const isVariable = typeof named === "string" && SECRET_NAME.test(named);
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      const hides = typeof inner === "string" && (SECRET_NAME.test(name) || (isVariable && name === "value"));
      return [name, hides || name === LAST_APPLIED ? SEALED : sealed(inner)];
    }),
  );
}
