import type { Clock } from "../../clock/clock.ts";
import type { Credential, Credentials } from "../http/connection.ts";

/** A credential and when it ends, in milliseconds since the epoch. */
export interface Renewed {
  readonly credential: Credential;
  readonly expires: number;
}

/** Credentials that somebody makes on demand: kept until they expire or the server refuses them, and made once for all who ask meanwhile. */
export function renewable(renew: () => Promise<Renewed>, clock: Clock): Credentials {
  let held: Renewed | undefined;
  let coming: Promise<Credential> | undefined;
  const fetch = async (): Promise<Credential> => {
    try {
      held = await renew();
      return held.credential;
    } finally {
      coming = undefined;
    }
  };
  return {
    current: () => {
      if (held !== undefined && clock.now() < held.expires) return held.credential;
      coming ??= fetch();
      return coming;
    },
    refused: () => {
      held = undefined;
      return true;
    },
  };
}
