import { X509Certificate } from "node:crypto";
// `toLegacyObject`, where it is the first of a process to need Node's TLS, leaves that module half made: nobody could connect any more.
import "node:tls";
import { ids } from "./certificate.ts";

/** One certificate in PEM. */
const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Certificates that are looked at of one bundle: whoever needs more has another fault. */
const MOST = 64;

/** The certificates of a bundle of PEM blocks. A block that is none is left out: it takes the trust in the others from nobody. */
export const certificatesIn = (bundle: string): readonly X509Certificate[] =>
  [...bundle.matchAll(BLOCK)].slice(0, MOST).flatMap(([block]) => certificateOf(block) ?? []);

/** The certificate that a PEM text holds; undefined where it holds none. */
export function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    // Whoever asked says what follows from it: a text is either a certificate or not.
    return undefined;
  }
}

/** True at a time at which a certificate holds. */
export const holdsAt = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean =>
  validFromDate.getTime() <= now && now <= validToDate.getTime();

/**
 * True where one of the authorities issued the certificate itself, both hold now, and it may prove a client. Intermediate authorities belong
 * into the bundle: none is taken from whoever shows the certificate. That somebody shows it does not prove that it is theirs.
 */
export function isIssuedBy(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
  now: number,
): boolean {
  const uses = certificate.keyUsage as readonly string[] | undefined;
  if (uses !== undefined && !uses.includes(ids.clientAuth) && !uses.includes(ids.anyUse)) return false;
  return (
    holdsAt(certificate, now) &&
    authorities.some(
      (authority) =>
        authority.ca &&
        holdsAt(authority, now) &&
        certificate.checkIssued(authority) &&
        certificate.verify(authority.publicKey),
    )
  );
}

/** The common name of a certificate's subject; undefined where it has none, or several. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const name: unknown = certificate.toLegacyObject().subject?.CN;
  return typeof name === "string" && name !== "" ? name : undefined;
}
