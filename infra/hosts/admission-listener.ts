import { createServer } from "node:https";
import type { Clock } from "../../shared/clock/clock.ts";
import { type FetchHandler, nodeListener } from "../../shared/host/http/index.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Settings } from "../settings/index.ts";
import { type Listening, listen } from "./listen.ts";
import { showFiles } from "./shown-files.ts";

/** The listener for the API server's questions. */
export interface AdmissionListener extends Listening {
  /** The reason why nobody can ask now; undefined where all is well. */
  missing(): string | undefined;
}

/**
 * Answers the API server by TLS. The files of the certificate may be missing at first, and change: both are looked at every ten seconds.
 * Until they are there the handshake fails, which the API server takes for being down. Throws a `ListenRefusedError`.
 */
export async function listenForAdmissions(
  handler: FetchHandler,
  { certificate, key, ...settings }: NonNullable<Settings["serve"]["admission"]>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<AdmissionListener> {
  const server = createServer({ connectionsCheckingInterval: 1_000 }, nodeListener(handler));
  const shown = showFiles(server, { cert: certificate, key }, { clock, log, whom: "the API server" });
  const { address, stop } = await listen(server, settings.listen);
  return {
    address,
    missing: shown.missing,
    stop: (milliseconds) => {
      shown.stop();
      return stop(milliseconds);
    },
  };
}
