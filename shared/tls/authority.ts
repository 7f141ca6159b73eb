import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from "node:crypto";
import { promisify } from "node:util";
import { altName, extension, ids, keyIdOf, nameOf, signed, subjectKeyOf, subjectOf } from "./certificate.ts";
import * as der from "./der.ts";

/** A certificate and its private key (PKCS #8), both PEM. */
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
  /** True: a certificate for servers serves clients too. */
  readonly client?: boolean | undefined;
  /** Milliseconds since the epoch. Default: an hour ago. */
  readonly notBefore?: number | undefined;
  /** Milliseconds since the epoch. Default: a year after now. */
  readonly notAfter?: number | undefined;
}

/** A certificate authority for development, tests, and the webhooks of one installation. */
export interface Authority extends Pair {
  /** A certificate for a server (`serverNames` given) or for a client (`commonName` is the user, `organizations` its groups). */
  issue(subject: Subject): Pair;
  /** The same for keys that are there: an ECDSA P-256 pair is made at once, others take their time (`rsaKeys`). */
  certify(subject: Subject, keys: Keys): Pair;
}
/** A pair of keys. */
export interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const day = 86_400_000;
const digitalSignature = der.bits(Buffer.from([0x80]), 7);
/** An RSA key may also carry over another key, as clients of TLS 1.2 do. */
const signatureAndEncipherment = der.bits(Buffer.from([0xa0]), 5);
const certAndCrlSign = der.bits(Buffer.from([0x06]), 1);

/** A pair of RSA keys, made beside everything else: 4096 bits take seconds. */
export const rsaKeys = (bits: number): Promise<Keys> =>
  promisify(generateKeyPair)("rsa", { modulusLength: bits });

const ecKeys = (): Keys => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

/** A new authority. Its own certificate holds for ten years, if nothing else is said. */
export function createAuthority(
  options: Partial<Pick<Subject, "commonName" | "notBefore" | "notAfter">> & { readonly keys?: Keys } = {},
): Authority {
  const { privateKey, publicKey } = options.keys ?? ecKeys();
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

/** An authority from its PEM pair, whoever made it: `createAuthority`, cert-manager, OpenSSL. Throws where the two do not belong together. */
export function loadAuthority(pair: Pair): Authority {
  const own = new X509Certificate(pair.certificate);
  const signer = createPrivateKey(pair.key);
  if (!own.checkPrivateKey(signer))
    throw new TypeError("The authority's key does not belong to its certificate");
  const issuer = subjectOf(own);
  const authorityKey = der.sequence(der.implicit(0, subjectKeyOf(own) ?? keyIdOf(createPublicKey(signer))));

  const certify = (subject: Subject, { privateKey, publicKey }: Keys): Pair => {
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
          extension(
            ids.keyUsage,
            true,
            publicKey.asymmetricKeyType === "rsa" ? signatureAndEncipherment : digitalSignature,
          ),
          extension(
            ids.extendedKeyUsage,
            false,
            der.sequence(
              ...(names === undefined ? [] : [der.oid(ids.serverAuth)]),
              ...(names === undefined || subject.client === true ? [der.oid(ids.clientAuth)] : []),
            ),
          ),
          extension(ids.authorityKey, false, authorityKey),
          ...(names ? [extension(ids.subjectAltName, false, der.sequence(...names.map(altName)))] : []),
        ],
      },
      signer,
    );
    return { certificate, key: pemOf(privateKey) };
  };
  return { ...pair, certify, issue: (subject) => certify(subject, ecKeys()) };
}
