import { createHash, type KeyObject, randomBytes, sign, type X509Certificate } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import * as der from "./der.ts";

/** The object identifiers of what certificates hold. */
export const ids = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  rsaWithSha256: "1.2.840.113549.1.1.11",
  ed25519: "1.3.101.112",
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKey: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  anyUse: "2.5.29.37.0",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
};

/** The name of a subject. */
export const nameOf = (subject: {
  readonly commonName: string;
  readonly organizations?: readonly string[] | undefined;
}): Buffer =>
  der.sequence(
    ...(subject.organizations ?? []).map((name) =>
      der.setOf(der.sequence(der.oid(ids.organization), der.utf8(name))),
    ),
    der.setOf(der.sequence(der.oid(ids.commonName), der.utf8(subject.commonName))),
  );

/** One extension. */
export const extension = (id: string, critical: boolean, value: Uint8Array): Buffer =>
  der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octets(value));

/** The identifier of a key: a digest of its public half. */
export const keyIdOf = (key: KeyObject): Buffer =>
  createHash("sha1")
    .update(key.export({ type: "spki", format: "der" }))
    .digest();

function ipBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  // A URL writes the last words of an address as words too, where they are written as IPv4.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const words = (text: string | undefined): number[] =>
    text ? text.split(":").map((word) => Number.parseInt(word, 16)) : [];
  const [before, after] = [words(head), words(tail)];
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}

/** A name of a server: an address, or a DNS name. */
export const altName = (name: string): Buffer =>
  isIPv4(name) || isIPv6(name)
    ? der.implicit(7, ipBytes(name))
    : der.implicit(2, Buffer.from(name, "latin1"));

/** The content of a certificate. */
export interface Unsigned {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly extensions: readonly Buffer[];
}

/** The algorithm that a key signs with. */
function algorithmOf({ asymmetricKeyType }: KeyObject): Buffer {
  if (asymmetricKeyType === "rsa") return der.sequence(der.oid(ids.rsaWithSha256), der.nothing());
  if (asymmetricKeyType === "ed25519") return der.sequence(der.oid(ids.ed25519));
  if (asymmetricKeyType === "ec") return der.sequence(der.oid(ids.ecdsaWithSha256));
  throw new TypeError(
    `A key of the type ${asymmetricKeyType} signs no certificate: take RSA, ECDSA or Ed25519`,
  );
}

/** A certificate as PEM, signed with the key of its issuer. */
export function signed(unsigned: Unsigned, signer: KeyObject): string {
  const algorithm = algorithmOf(signer);
  const serial = randomBytes(16);
  serial[0] = (serial[0] ?? 0) & 0x7f;
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(serial),
    algorithm,
    unsigned.issuer,
    der.sequence(der.time(unsigned.notBefore), der.time(unsigned.notAfter)),
    unsigned.subject,
    unsigned.publicKey.export({ type: "spki", format: "der" }),
    der.explicit(3, der.sequence(...unsigned.extensions)),
  );
  const certificate = der.sequence(
    body,
    algorithm,
    der.bits(sign(signer.asymmetricKeyType === "ed25519" ? null : "sha256", body, signer)),
  );
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** The name with which an authority signs, byte for byte as its own certificate has it as subject. */
export const subjectOf = ({ raw }: X509Certificate): Buffer =>
  partsOf(raw)[SUBJECT]?.whole ?? raw.subarray(0, 0);

/**
 * The identifier that a certificate gives its own key; undefined where it names none. Every program that makes authorities computes it in a way
 * of its own, and whoever follows a chain compares it with what the issued certificate says.
 */
export function subjectKeyOf({ raw }: X509Certificate): Buffer | undefined {
  const wanted = der.oid(ids.subjectKey);
  const [all] = partsOf(raw).flatMap(({ tag, content }) => (tag === EXTENSIONS ? valuesIn(content) : []));
  for (const { content } of valuesIn(all?.content ?? raw.subarray(0, 0))) {
    const [id, ...rest] = valuesIn(content);
    const [key] = id?.whole.equals(wanted) === true ? valuesIn(rest.at(-1)?.content ?? id.content) : [];
    if (key !== undefined) return key.content;
  }
  return undefined;
}

/** The place of the subject: version, serial, algorithm, issuer and validity come before it. */
const SUBJECT = 5;
/** The tag of the extensions. */
const EXTENSIONS = 0xa3;

interface DerValue {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** The parts of a certificate that are signed. */
const partsOf = (raw: Buffer): readonly DerValue[] =>
  valuesIn(valuesIn(valuesIn(raw)[0]?.content ?? raw.subarray(0, 0))[0]?.content ?? raw.subarray(0, 0));

/** The values that follow each other in what OpenSSL has read as DER. */
function valuesIn(content: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at + 1 < content.length; ) {
    const first = content[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first & 0x7f;
    const length = more === 0 ? first : content.readUIntBE(at + 2, more);
    const body = at + 2 + more;
    const end = body + length;
    values.push({
      tag: content[at] ?? 0,
      whole: content.subarray(at, end),
      content: content.subarray(body, end),
    });
    at = end;
  }
  return values;
}
