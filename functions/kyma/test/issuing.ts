import { createAuthority, loadAuthority } from "../../../shared/tls/index.ts";
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
