import { createAuthority, loadAuthority, rsaKeys } from "../../../../../shared/tls/index.ts";
import type { IssuerEffects } from "../contract.ts";

/** The length of keys, as upstream has it. */
const BITS = 4096;

/** Makes keys and certificates in this process, beside its other work: each key takes seconds. */
export const builtInIssuer = (bits = BITS): IssuerEffects => ({
  async authority({ commonName, notBefore, notAfter }) {
    const { certificate, key } = createAuthority({
      commonName,
      notBefore,
      notAfter,
      keys: await rsaKeys(bits),
    });
    return { certificate, key };
  },
  async issue({ authority, commonName, dnsNames, ...term }) {
    const subject = { commonName, serverNames: dnsNames, client: true, ...term };
    return loadAuthority(authority).certify(subject, await rsaKeys(bits));
  },
});
