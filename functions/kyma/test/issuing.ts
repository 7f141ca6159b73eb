import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { extension, ids, nameOf, signed, subjectOf } from "../../../shared/tls/certificate.ts";
import * as der from "../../../shared/tls/der.ts";
import { createAuthority, loadAuthority, type Pair } from "../../../shared/tls/index.ts";
import type { WatcherSettings } from "../configuration.ts";
import type { IssuerEffects } from "../ports/issuer/index.ts";

/** The namespace of the gateway. */
export const GATEWAYS = "gateways";

/** The settings by which runtimes tell of their changes, in scenarios. */
export const WATCHER: WatcherSettings = {
  address: "events.example.org",
  image: "registry.example.org/reveille:1",
  issuer: "builtIn",
  issuerName: "klm-watcher-selfsigned",
  gatewayNamespaces: [GATEWAYS],
  dnsNames: [],
  beatSeconds: 60,
  pollMinutes: 5,
};

/** Makes certificates at once: their keys are short. */
export const quickIssuer: IssuerEffects = {
  authority: async ({ commonName, ...term }) => {
    const { certificate, key } = createAuthority({ commonName, ...term });
    return { certificate, key };
  },
  issue: async ({ authority, commonName, dnsNames, ...term }) =>
    loadAuthority(authority).issue({ commonName, serverNames: dnsNames, client: true, ...term }),
};

/** An authority of another name that an authority vouches for. */
export function authorityBelow(
  above: Pair,
  {
    commonName,
    ...term
  }: { readonly commonName: string; readonly notBefore: number; readonly notAfter: number },
): Pair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certificate = signed(
    {
      issuer: subjectOf(new X509Certificate(above.certificate)),
      subject: nameOf({ commonName }),
      publicKey,
      ...term,
      extensions: [extension(ids.basicConstraints, true, der.sequence(der.boolean(true)))],
    },
    createPrivateKey(above.key),
  );
  return { certificate, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
