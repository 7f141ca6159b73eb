import { createServer as createSecure } from "node:https";
import type { Clock } from "../../shared/clock/clock.ts";
import { type FetchHandler, nodeListener } from "../../shared/host/http/index.ts";
import type { Log } from "../../shared/log/log.ts";
import { createServer } from "../../shared/node-http.ts";
import type { Settings } from "../settings/index.ts";
import { listen } from "./listen.ts";
import { listenShowing, type ShowingListener } from "./shown-files.ts";

/** Milliseconds for which somebody who connects and says nothing is waited for. */
const LONGEST_HANDSHAKE = 5_000;
/** A forwarded certificate is longer than Node takes headers to be. */
const LONG_HEADERS = 65_536;

/**
 * Takes requests by HTTP, or by TLS where the settings name a certificate. Its files may be missing at first, and change: they are looked at
 * every ten seconds. Throws a `ListenRefusedError`.
 */
export async function listenForRequests(
  handler: FetchHandler,
  serve: Pick<Settings["serve"], "listen" | "tls" | "certified" | "timeout" | "maximumConnections">,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<ShowingListener> {
  const patience = Math.min(serve.timeout, LONGEST_HANDSHAKE);
  const options = {
    // Slow requests are looked for more often than the limits are long.
    connectionsCheckingInterval: 1_000,
    requestTimeout: serve.timeout,
    headersTimeout: patience,
    ...(serve.certified?.forwarded === true && { maxHeaderSize: LONG_HEADERS }),
  };
  const listener = nodeListener(handler);
  if (serve.tls === undefined) {
    const server = createServer(options, listener);
    server.maxConnections = serve.maximumConnections;
    return { ...(await listen(server, serve.listen)), missing: () => undefined };
  }
  const { certificate: cert, key, clientAuthority: ca } = serve.tls;
  const server = createSecure(
    // Whoever has no certificate may have a token: what a path asks for is decided there.
    { ...options, handshakeTimeout: patience, requestCert: ca !== undefined, rejectUnauthorized: false },
    listener,
  );
  server.maxConnections = serve.maximumConnections;
  return listenShowing(server, serve.listen, { cert, key, ca }, { clock, log, whom: "callers" });
}
