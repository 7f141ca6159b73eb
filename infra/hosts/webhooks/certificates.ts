import { createPrivateKey, X509Certificate } from "node:crypto";
import { createAuthority, type Pair } from "../../../shared/tls/index.ts";

/** The certificates of the admissions' listener, as the Secret holds them. */
export interface Certificates {
  /** The pair that is shown; undefined where there is none that can be. */
  readonly current: Pair | undefined;
  /** The pair that will be shown, once all API servers trust its authority. */
  readonly next: Pair | undefined;
  /** PEM of the authorities that are trusted, the newest first. */
  readonly authorities: readonly string[];
}

export interface CertificateOptions {
  /** The names by which the API server asks. */
  readonly serverNames: readonly string[];
  readonly lifetime: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Clocks of machines differ. */
const HOUR = 3_600_000;
/** Two thirds of the lifetime. */
const SHARE = 2 / 3;

/** Reads the data of the Secret; what is no certificate, or does not belong together, is not there. */
export function readCertificates(data: Readonly<Record<string, string>> = {}): Certificates {
  const text = (key: string): string => Buffer.from(data[key] ?? "", "base64").toString();
  const pair = (name: string): Pair | undefined => {
    const [certificate, key] = [text(`${name}.crt`), text(`${name}.key`)];
    return belongTogether(certificate, key) ? { certificate, key } : undefined;
  };
  const found = text("ca.crt").match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return {
    current: pair("tls"),
    next: pair("next"),
    authorities: found.map((one) => `${one}\n`).filter(isCertificate),
  };
}

/** The data of the Secret; null takes an entry away. */
export function secretData({
  current,
  next,
  authorities,
}: Certificates): Readonly<Record<string, string | null>> {
  const text = (value: string | undefined): string | null =>
    value === undefined ? null : Buffer.from(value).toString("base64");
  return {
    "ca.crt": text(authorities.join("")),
    "tls.crt": text(current?.certificate),
    "tls.key": text(current?.key),
    "next.crt": text(next?.certificate),
    "next.key": text(next?.key),
  };
}

/**
 * The certificates as they should be now: a first pair where none can be shown, the next one after two thirds of the lifetime. Each has an
 * authority of its own, whose key nobody keeps: what signs nothing more cannot be stolen.
 */
export function renewed(known: Certificates, options: CertificateOptions): Certificates {
  const { now } = options;
  const { current } = known;
  if (current === undefined || !shows(current, options)) {
    const { pair, authority } = made(options);
    return { current: pair, next: undefined, authorities: [authority] };
  }
  if (known.next !== undefined && shows(known.next, options)) return known;
  if (now < renewalOf(current)) return known.next === undefined ? known : { ...known, next: undefined };
  const { pair, authority } = made(options);
  const valid = known.authorities.filter((one) => endOf(one) > now);
  return { current, next: pair, authorities: [authority, ...valid] };
}

/** The certificates once the next pair is shown. The authority of the former one is trusted until it ends. */
export const promoted = ({ next, authorities }: Certificates): Certificates => ({
  current: next,
  next: undefined,
  authorities,
});

/** The time at which a pair is to be renewed, in milliseconds since the epoch. */
export function renewalOf({ certificate }: Pair): number {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  return validFromDate.getTime() + (validToDate.getTime() - validFromDate.getTime()) * SHARE;
}

/** True where a pair can be shown now, under all names. */
function shows({ certificate }: Pair, { now, serverNames }: CertificateOptions): boolean {
  const read = new X509Certificate(certificate);
  return (
    read.validFromDate.getTime() <= now &&
    read.validToDate.getTime() > now &&
    serverNames.every((name) => read.checkHost(name) !== undefined)
  );
}

const endOf = (certificate: string): number => new X509Certificate(certificate).validToDate.getTime();

function made({ serverNames, lifetime, now }: CertificateOptions): {
  readonly pair: Pair;
  readonly authority: string;
} {
  const times = { notBefore: now - HOUR, notAfter: now + lifetime };
  const authority = createAuthority({ commonName: "reveille webhooks", ...times });
  const pair = authority.issue({ commonName: serverNames[0] ?? "", serverNames, ...times });
  return { pair, authority: authority.certificate };
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).ca;
  } catch {
    // Somebody else's text; it is left out, and the next write replaces it.
    return false;
  }
}

function belongTogether(certificate: string, key: string): boolean {
  if (certificate === "" || key === "") return false;
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    // The same: a new pair takes its place.
    return false;
  }
}
