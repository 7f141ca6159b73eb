import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import * as der from "./der.ts";

/** A certificate and its private key (ECDSA P-256, PKCS #8), both PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** The subject of a certificate. */
export interface Subject {
  /** For a client: the user. */
  readonly commonName: string;
  /** For a client: the groups. */
  readonly organizations?: readonly string[] | undefined;
  /** DNS names and IP addresses; given, the certificate serves servers. */
  readonly serverNames?: readonly string[] | undefined;
  /** Milliseconds since the epoch. Default: an hour ago. */
  readonly notBefore?: number | undefined;
  /** Milliseconds since the epoch. Default: a year after now. */
  readonly notAfter?: number | undefined;
}

/** A certificate authority for development, tests, and the webhooks of one installation. */
export interface Authority extends Pair {
  /** A certificate for a server (`serverNames` given) or for a client (`commonName` is the user, `organizations` its groups). */
  issue(subject: Subject): Pair;
}

const day = 86_400_000;
const ids = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKey: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
};
const algorithm = der.sequence(der.oid(ids.ecdsaWithSha256));
const digitalSignature = der.bits(Buffer.from([0x80]), 7);
const certAndCrlSign = der.bits(Buffer.from([0x06]), 1);

const nameOf = (subject: Pick<Subject, "commonName" | "organizations">): Buffer =>
  der.sequence(
    ...(subject.organizations ?? []).map((name) =>
      der.setOf(der.sequence(der.oid(ids.organization), der.utf8(name))),
    ),
    der.setOf(der.sequence(der.oid(ids.commonName), der.utf8(subject.commonName))),
  );

const extension = (id: string, critical: boolean, value: Uint8Array): Buffer =>
  der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octets(value));

const keyIdOf = (key: KeyObject): Buffer =>
  createHash("sha1")
    .update(key.export({ type: "spki", format: "der" }))
    .digest();

function ipBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail] = address.split("::");
  const words = (text: string | undefined): number[] =>
    text ? text.split(":").map((word) => Number.parseInt(word, 16)) : [];
  const [before, after] = [words(head), words(tail)];
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}

const altName = (name: string): Buffer =>
  isIPv4(name) || isIPv6(name)
    ? der.implicit(7, ipBytes(name))
    : der.implicit(2, Buffer.from(name, "latin1"));

interface Unsigned {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly extensions: readonly Buffer[];
}

function signed(unsigned: Unsigned, signer: KeyObject): string {
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
  const certificate = der.sequence(body, algorithm, der.bits(sign("sha256", body, signer)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

/** A new authority. Its own certificate holds for ten years, if nothing else is said. */
export function createAuthority(
  options: Partial<Pick<Subject, "commonName" | "notBefore" | "notAfter">> = {},
): Authority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // A serial in the name keeps two authorities of the same purpose apart: chains are built by name first.
  const name = nameOf({
    commonName: `${options.commonName ?? "reveille development authority"} ${randomBytes(4).toString("hex")}`,
  });
  const now = Date.now();
  const certificate = signed(
    {
      issuer: name,
      subject: name,
      publicKey,
      notBefore: options.notBefore ?? now - day,
      notAfter: options.notAfter ?? now + 3650 * day,
      extensions: [
        extension(ids.basicConstraints, true, der.sequence(der.boolean(true))),
        extension(ids.keyUsage, true, certAndCrlSign),
        extension(ids.subjectKey, false, der.octets(keyIdOf(publicKey))),
      ],
    },
    privateKey,
  );
  return loadAuthority({ certificate, key: pemOf(privateKey) });
}

/** The name with which an authority signs, byte for byte as its own certificate has it as subject. */
function subjectOf(certificate: X509Certificate): Buffer {
  const raw = certificate.raw;
  const at = (offset: number): { readonly body: number; readonly end: number } => {
    const first = raw[offset + 1] ?? 0;
    const more = first < 0x80 ? 0 : first & 0x7f;
    const length = more === 0 ? first : raw.readUIntBE(offset + 2, more);
    return { body: offset + 2 + more, end: offset + 2 + more + length };
  };
  // version, serial, algorithm, issuer and validity come before it.
  let offset = at(at(0).body).body;
  for (let skip = 0; skip < 5; skip++) offset = at(offset).end;
  return raw.subarray(offset, at(offset).end);
}

/** An authority that `createAuthority` made before, from its PEM pair. Throws where the two do not belong together. */
export function loadAuthority(pair: Pair): Authority {
  const own = new X509Certificate(pair.certificate);
  const signer = createPrivateKey(pair.key);
  if (!own.checkPrivateKey(signer))
    throw new TypeError("The authority's key does not belong to its certificate");
  const issuer = subjectOf(own);
  const authorityKey = der.sequence(der.implicit(0, keyIdOf(createPublicKey(signer))));

  const issue = (subject: Subject): Pair => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const names = subject.serverNames;
    const now = Date.now();
    const certificate = signed(
      {
        issuer,
        subject: nameOf(subject),
        publicKey,
        notBefore: subject.notBefore ?? now - day / 24,
        notAfter: subject.notAfter ?? now + 365 * day,
        extensions: [
          extension(ids.basicConstraints, true, der.sequence()),
          extension(ids.keyUsage, true, digitalSignature),
          extension(
            ids.extendedKeyUsage,
            false,
            der.sequence(der.oid(names ? ids.serverAuth : ids.clientAuth)),
          ),
          extension(ids.authorityKey, false, authorityKey),
          ...(names ? [extension(ids.subjectAltName, false, der.sequence(...names.map(altName)))] : []),
        ],
      },
      signer,
    );
    return { certificate, key: pemOf(privateKey) };
  };
  return { ...pair, issue };
}
