import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import { isIP } from "node:net";
import type { Clock } from "../../../../../../../shared/clock/clock.ts";
import { messageOf } from "../../../../../../../shared/errors.ts";
import { fixed } from "../../../../../../../shared/templates/functions/define.ts";
import {
  bytesOf,
  type Call,
  FunctionFault,
  type Functions,
  List,
  textOf,
  type Value,
} from "../../../../../../../shared/templates/index.ts";
import {
  altName,
  extension,
  ids,
  keyIdOf,
  nameOf,
  signed,
  subjectOf,
} from "../../../../../../../shared/tls/certificate.ts";
import * as der from "../../../../../../../shared/tls/der.ts";
import { Struct } from "../objects.ts";

const DAY = 86_400_000;
/** The work of making a key, in steps of a rendering. */
const KEY_STEPS = 500_000;
const LONG_KEY_STEPS = 2_000_000;

/** The bits of key usage: signatures and encipherment, for authorities certificates too. */
const SERVES = der.bits(Buffer.from([0xa0]), 5);
const SIGNS = der.bits(Buffer.from([0xa4]), 2);

/** A certificate and its key, both PEM, as `.Cert` and `.Key`. */
class Certificate extends Struct {
  readonly cert: string;
  readonly key: string;
  constructor(cert: string, key: string) {
    super("sprig.certificate", { Cert: cert, Key: key });
    this.cert = cert;
    this.key = key;
  }
}

/** A private key in the form that Go writes for its sort. */
function pemOf(key: KeyObject): string {
  const type = { rsa: "pkcs1", ec: "sec1" } as const;
  const sort = key.asymmetricKeyType;
  return String(key.export({ type: sort === "rsa" || sort === "ec" ? type[sort] : "pkcs8", format: "pem" }));
}

/** Makes an RSA key of so many bits. */
export type RsaKey = (bits: number) => KeyObject;
/** A new RSA key, by Node. */
export const newRsaKey: RsaKey = (bits) => generateKeyPairSync("rsa", { modulusLength: bits }).privateKey;

function keyFrom(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new FunctionFault(bytesOf(`parsing private key: ${messageOf(cause)}`), { cause });
  }
}

function certificateFrom(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new FunctionFault(bytesOf(`error parsing certificate: ${messageOf(cause)}`), { cause });
  }
}

function textsIn(value: Value, what: string): readonly string[] {
  if (!(value instanceof List)) return [];
  return value.items.map((item) => {
    if (typeof item !== "string")
      throw new FunctionFault(`error processing ${what}: an item is not a string`);
    return textOf(item);
  });
}

interface Wanted {
  readonly commonName: string;
  readonly addresses: readonly string[];
  readonly names: readonly string[];
  readonly days: number;
  readonly key: KeyObject;
  readonly isAuthority: boolean;
}

/** Makes certificates as sprig does. */
class Maker {
  readonly #clock: Clock;
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(
    wanted: Wanted,
    issuer?: { readonly certificate: X509Certificate; readonly key: KeyObject },
  ): Certificate {
    const { commonName, addresses, names, days, key, isAuthority } = wanted;
    for (const address of addresses)
      if (isIP(address) === 0) throw new FunctionFault(bytesOf(`error parsing ip: ${address}`));
    const publicKey = createPublicKey(key);
    const subject = nameOf({ commonName });
    const now = this.#clock.now();
    const others = [...names, ...addresses];
    const basic = isAuthority ? der.sequence(der.boolean(true)) : der.sequence();
    const signer = issuer?.key ?? key;
    const pem = signed(
      {
        issuer: issuer === undefined ? subject : subjectOf(issuer.certificate),
        subject,
        publicKey,
        notBefore: now,
        notAfter: now + days * DAY,
        extensions: [
          extension(ids.keyUsage, true, isAuthority ? SIGNS : SERVES),
          extension(
            ids.extendedKeyUsage,
            false,
            der.sequence(der.oid(ids.serverAuth), der.oid(ids.clientAuth)),
          ),
          extension(ids.basicConstraints, true, basic),
          ...(isAuthority ? [extension(ids.subjectKey, false, der.octets(keyIdOf(publicKey)))] : []),
          ...(issuer === undefined
            ? []
            : [
                extension(
                  ids.authorityKey,
                  false,
                  der.sequence(der.implicit(0, keyIdOf(createPublicKey(issuer.key)))),
                ),
              ]),
          ...(others.length > 0
            ? [extension(ids.subjectAltName, false, der.sequence(...others.map(altName)))]
            : []),
        ],
      },
      signer,
    );
    return new Certificate(pem, pemOf(key));
  }
}

function keyOfSort(sort: string, rsaKey: RsaKey, { budget }: Call): string {
  budget.step(sort === "ecdsa" || sort === "ed25519" ? KEY_STEPS : LONG_KEY_STEPS);
  switch (sort) {
    case "":
    case "rsa":
      return pemOf(rsaKey(4096));
    case "ecdsa":
      return pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
    case "ed25519":
      return pemOf(generateKeyPairSync("ed25519").privateKey);
    case "dsa":
      throw new FunctionFault("genPrivateKey makes no DSA keys: no server takes them; take ecdsa");
    default:
      return `Unknown type ${sort}`;
  }
}

function authorityOf(value: Value): { readonly certificate: X509Certificate; readonly key: KeyObject } {
  if (!(value instanceof Certificate))
    throw new FunctionFault("the authority is no certificate: hand in what genCA or buildCustomCert gave");
  return { certificate: certificateFrom(value.cert), key: keyFrom(value.key) };
}

/** Sprig's functions that make keys and certificates. */
export function certificates(clock: Clock, rsaKey: RsaKey): Functions {
  const maker = new Maker(clock);
  const newKey = ({ budget }: Call): KeyObject => {
    budget.step(KEY_STEPS);
    return rsaKey(2048);
  };
  const authority = (commonName: string, days: bigint, key: KeyObject): Certificate =>
    maker.make({
      commonName: textOf(commonName),
      addresses: [],
      names: [],
      days: Number(days),
      key,
      isAuthority: true,
    });
  const server = (
    commonName: string,
    addresses: Value,
    names: Value,
    days: bigint,
    key: KeyObject,
    issuer?: Value,
  ): Certificate =>
    maker.make(
      {
        commonName: textOf(commonName),
        addresses: textsIn(addresses, "ip addresses"),
        names: textsIn(names, "alternate dns name"),
        days: Number(days),
        key,
        isAuthority: false,
      },
      issuer === undefined ? undefined : authorityOf(issuer),
    );
  return {
    genPrivateKey: fixed(["string"], ([sort], call) => keyOfSort(sort, rsaKey, call)),
    genCA: fixed(["string", "int"], ([name, days], call) => authority(name, days.value, newKey(call))),
    genCAWithKey: fixed(["string", "int", "string"], ([name, days, key]) =>
      authority(name, days.value, keyFrom(key)),
    ),
    genSelfSignedCert: fixed(
      ["string", "[]interface {}", "[]interface {}", "int"],
      ([name, addresses, names, days], call) => server(name, addresses, names, days.value, newKey(call)),
    ),
    genSelfSignedCertWithKey: fixed(
      ["string", "[]interface {}", "[]interface {}", "int", "string"],
      ([name, addresses, names, days, key]) => server(name, addresses, names, days.value, keyFrom(key)),
    ),
    genSignedCert: fixed(
      ["string", "[]interface {}", "[]interface {}", "int", "value"],
      ([name, addresses, names, days, issuer], call) =>
        server(name, addresses, names, days.value, newKey(call), issuer),
    ),
    genSignedCertWithKey: fixed(
      ["string", "[]interface {}", "[]interface {}", "int", "value", "string"],
      ([name, addresses, names, days, issuer, key]) =>
        server(name, addresses, names, days.value, keyFrom(key), issuer),
    ),
    buildCustomCert: fixed(["string", "string"], ([certificate, key]) => {
      const [cert, secret] = [certificate, key].map((text) => Buffer.from(text, "base64").toString("latin1"));
      certificateFrom(cert ?? "");
      keyFrom(secret ?? "");
      return new Certificate(cert ?? "", secret ?? "");
    }),
  };
}
