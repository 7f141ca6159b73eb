import { createPrivateKey, X509Certificate } from "node:crypto";
import { namesServer } from "../../../../shared/tls/server-name.ts";
import { certificateOf, commonNameOf } from "../../../../shared/tls/trust.ts";
import type { Pair } from "../../ports/issuer/index.ts";

export type { Pair };
/** The content of a Secret, in base64. */
export type SecretData = Readonly<Record<string, string>> | undefined;

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** An entry of a Secret as text; empty where there is none. */
export const textOf = (data: SecretData, key: string): string =>
  Buffer.from(data?.[key] ?? "", "base64").toString();

/** The pair of a Secret; undefined where a part is missing, or the two do not belong together. */
export function pairOf(data: SecretData): Pair | undefined {
  const [certificate, key] = [textOf(data, "tls.crt"), textOf(data, "tls.key")];
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? { certificate, key }
      : undefined;
  } catch {
    // Nobody's certificate: another takes its place.
    return undefined;
  }
}

/** The pair of an authority's Secret; undefined where its certificate may issue no others: nobody would trust these. */
export function authorityOf(data: SecretData): Pair | undefined {
  const pair = pairOf(data);
  return pair !== undefined && certificateOf(pair.certificate)?.ca === true ? pair : undefined;
}

/** The certificates of a bundle, each as it stands there; what is none is left out. */
export const bundleOf = (text: string): readonly string[] =>
  [...text.matchAll(BLOCK)].map(([block]) => `${block}\n`).filter((one) => certificateOf(one) !== undefined);

/** Certificates that are looked at for one chain: whoever needs more has another fault. */
const MOST = 64;

/**
 * The authority's own certificate, and those of the authorities above it: the Secret has them after its own, the root often under `ca.crt` alone.
 * Whoever accepts no chain that ends halfway needs all of them. What is no part of the chain is left out.
 */
export function chainOf(data: SecretData): readonly string[] {
  const [own, ...more] = [...bundleOf(textOf(data, "tls.crt")), ...bundleOf(textOf(data, "ca.crt"))];
  if (own === undefined) return [];
  const chain = [own];
  const rest = new Set(more.slice(0, MOST).filter((one) => one !== own && certificateOf(one)?.ca === true));
  for (const issued of chain)
    for (const one of rest)
      if (isIssuedBy(issued, one)) {
        rest.delete(one);
        chain.push(one);
      }
  return chain;
}

/** The times between which a certificate holds, in milliseconds since the epoch. */
export function timesOf(certificate: string): { readonly from: number; readonly to: number } | undefined {
  const found = certificateOf(certificate);
  return found && { from: found.validFromDate.getTime(), to: found.validToDate.getTime() };
}

/** True where the authority issued it. */
export function isIssuedBy(certificate: string, authority: string): boolean {
  const [one, issuer] = [certificateOf(certificate), certificateOf(authority)];
  return one !== undefined && issuer !== undefined && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

/** True where a certificate is for this common name and all of these DNS names and addresses. */
export function isFor(
  certificate: string,
  { commonName, dnsNames }: { readonly commonName: string; readonly dnsNames: readonly string[] },
): boolean {
  const found = certificateOf(certificate);
  if (found === undefined) return false;
  return commonNameOf(found) === commonName && dnsNames.every((one) => namesServer(found, one));
}
