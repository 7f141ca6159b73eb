import { createServer } from "node:https";
import type { Clock } from "../../shared/clock/clock.ts";
import { type FetchHandler, nodeListener } from "../../shared/host/http/index.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Settings } from "../settings/index.ts";
import { listenShowing, type ShowingListener } from "./shown-files.ts";

/**
 * Answers the API server by TLS. The files of the certificate may be missing at first, and change: both are looked at every ten seconds.
 * Until they are there the handshake fails, which the API server takes for being down. Throws a `ListenRefusedError`.
 */
export async function listenForAdmissions(
  handler: FetchHandler,
  { certificate, key, ...settings }: NonNullable<Settings["serve"]["admission"]>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<ShowingListener> {
  const server = createServer({ connectionsCheckingInterval: 1_000 }, nodeListener(handler));
  return listenShowing(
    server,
    settings.listen,
    { cert: certificate, key },
    { clock, log, whom: "the API server" },
  );
}
