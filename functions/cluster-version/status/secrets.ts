import { jsonOf } from "../../../shared/json/parse.ts";
import { StatusError } from "./errors.ts";

/** Something in a status that looks like a secret. The value itself is told nowhere. */
export interface SecretFinding {
  /** The path, from the status: `extension.tls.key`. */
  readonly path: string;
  /** The kind of secret that it looks like. */
  readonly looksLike: string;
}

/** Each takes as long as the text is, whatever it says. */
const TEXTS: readonly (readonly [Pick<RegExp, "test">, string])[] = [
  [/-----BEGIN [A-Z0-9 ]+-----/, "a PEM block"],
  [/LS0tLS1CRUdJTi/, "a PEM block in base64"],
  [{ test: holdsWebToken }, "a JSON web token"],
  [/\bBearer\s+[A-Za-z0-9._~+/-]{16,}/i, "a bearer token"],
  [/[a-z0-9+.-]:\/\/[^\s/:@]*:[^\s/@]+@/i, "an address with a password"],
  [/\b(AKIA|ASIA)[A-Z0-9]{16}\b/, "an AWS access key"],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}/, "a GitHub token"],
  [/\bsha256~[A-Za-z0-9_-]{30,}/, "an OpenShift token"],
  [
    /\b(password|passwd|client[_-]?secret|secret[_-]?access[_-]?key|api[_-]?key|token)(=|["']\s*:\s*["'])[^\s"',;]{3,}/i,
    "a password or token",
  ],
];
const SECRET_NAMES =
  /^(password|passwd|pwd|token|bearertoken|accesstoken|refreshtoken|idtoken|apikey|privatekey|clientsecret|secretaccesskey|secretkey|tlskey|clientkeydata|tokendata)$/;
const BLOBS = new Set(["data", "stringData", "binaryData"]);
/** The fields of a reference to a Secret. */
const REFERENCE = new Set(
  "apiVersion fieldPath group key kind name namespace optional resource resourceVersion uid".split(" "),
);

/** The places in a status that look like a secret: everybody may read it. References by name are fine. */
export function secretsIn(status: unknown): readonly SecretFinding[] {
  const found: SecretFinding[] = [];
  look(status, [], found);
  return found;
}

/** @throws StatusError STATUS_SECRET where anything in the status looks like a secret; it names places, never values. */
export function refuseSecrets(status: unknown): void {
  const found = secretsIn(status);
  if (found.length === 0) return;
  const places = found.map(({ path, looksLike }) => `${path} looks like ${looksLike}`).join("; ");
  throw new StatusError(
    "STATUS_SECRET",
    `The status is not written, because everybody may read it and it seems to hold a secret: ${places}. Put it into a Secret and name that.`,
  );
}

function look(value: unknown, path: readonly string[], found: SecretFinding[]): void {
  const tell = (looksLike: string): void => {
    found.push({ path: path.join("."), looksLike });
  };
  if (typeof value === "string") {
    const match = TEXTS.find(([pattern]) => pattern.test(value));
    if (match !== undefined) tell(match[1]);
    else if (/^\s*[[{]/.test(value)) look(jsonOf(value), path, found);
    else if (looksLikeSecretYaml(value)) tell("a Secret");
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) look(item, [...path, String(index)], found);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const fields = Object.entries(value);
  const { kind } = value as { readonly kind?: unknown };
  if ((kind === "Secret" || kind === "SecretList") && fields.some(([name]) => !REFERENCE.has(name))) {
    tell("a Secret");
    return;
  }
  for (const [name, child] of fields) {
    const at = [...path, name];
    const looksLike = looksByName(name, child);
    if (looksLike === undefined) look(child, at, found);
    else found.push({ path: at.join("."), looksLike });
  }
}

/** The kind of secret that a field is by its name alone, with any text. */
function looksByName(name: string, child: unknown): string | undefined {
  const text = typeof child === "string" && child !== "";
  const blob = text || (typeof child === "object" && child !== null && Object.keys(child).length > 0);
  if (BLOBS.has(name) && blob) return "the contents of a Secret or ConfigMap";
  if (text && SECRET_NAMES.test(name.toLowerCase().replace(/[_-]/g, ""))) return "a password or token";
  return undefined;
}

/** Three long parts between dots, of which the first begins as JSON in base64 does: looked for run by run, since one pattern would try each place anew. */
function holdsWebToken(text: string): boolean {
  for (const [run] of text.matchAll(/[A-Za-z0-9_.-]+/g)) {
    const parts = run.split(".");
    const isLong = (index: number): boolean => (parts[index]?.length ?? 0) >= 8;
    if (parts.some((part, at) => isLong(at + 1) && isLong(at + 2) && /(?:^|-)eyJ[A-Za-z0-9_-]{8}/.test(part)))
      return true;
  }
  return false;
}

const looksLikeSecretYaml = (text: string): boolean =>
  /^[ \t]*kind:[ \t]*["']?Secret["']?[ \t\r]*$/m.test(text) &&
  /^[ \t]*(data|stringData):[ \t\r]*$/m.test(text);
