import { createPrivateKey, type KeyObject } from "node:crypto";
import type { Pair } from "./authority.ts";
import { certificateOf, certificatesIn } from "./trust.ts";

/**
 * The fault of what a side of a connection is to show and to trust, all of it PEM; undefined where it can be used. Node takes an empty text for
 * none given, so a file that is just being written would leave a server without a certificate, or have it trust every public authority.
 */
export function shownFault({ certificate, key }: Pair, authorities?: string): string | undefined {
  const shown = certificateOf(certificate);
  if (shown === undefined) return "the certificate's file holds no certificate in PEM";
  const own = privateKeyOf(key);
  if (own === undefined) return "the key's file holds no private key in PEM";
  if (!shown.checkPrivateKey(own)) return "the key is of another certificate";
  if (authorities !== undefined && certificatesIn(authorities).length === 0)
    return "the authorities' file holds no certificate in PEM";
  return undefined;
}

function privateKeyOf(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    // OpenSSL's words name no file: whoever asked says what follows.
    return undefined;
  }
}
