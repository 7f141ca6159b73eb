import { constants } from "node:crypto";
import { createServer } from "node:https";
import type { SecureContextOptions } from "node:tls";
import type { Clock } from "../../shared/clock/clock.ts";
import { type FetchHandler, nodeListener } from "../../shared/host/http/index.ts";
import type { Log } from "../../shared/log/log.ts";
import type { ListenAddress, Settings } from "../settings/index.ts";
import { listenShowing, type ShowingListener } from "./shown-files.ts";

/** Milliseconds for which somebody who connects and says nothing takes the place of a sender. */
const LONGEST_HANDSHAKE = 5_000;

/** A resumed session would keep a trust that has ended since. */
const FIXED: SecureContextOptions = { minVersion: "TLSv1.3", secureOptions: constants.SSL_OP_NO_TICKET };

/**
 * Takes requests by TLS 1.3 and asks for the client's certificate. Whoever has none that is trusted connects all the same, and is answered
 * 401: a handshake that fails tells nobody why. Throws a `ListenRefusedError`.
 */
export async function listenForCertified(
  handler: FetchHandler,
  files: {
    readonly listen: ListenAddress;
    readonly certificate: string;
    readonly key: string;
    readonly authorities: string;
  },
  {
    clock,
    log,
    limits,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly limits: Pick<Settings["serve"], "maximumConnections" | "timeout">;
  },
): Promise<ShowingListener> {
  const answering = nodeListener(handler);
  const server = createServer(
    {
      ...FIXED,
      connectionsCheckingInterval: 1_000,
      handshakeTimeout: Math.min(limits.timeout, LONGEST_HANDSHAKE),
      requestCert: true,
      rejectUnauthorized: false,
    },
    (incoming, outgoing) => {
      // A connection that is kept would keep a trust that has ended since.
      outgoing.setHeader("connection", "close");
      answering(incoming, outgoing);
    },
  );
  server.maxConnections = limits.maximumConnections;
  server.requestTimeout = limits.timeout;
  server.headersTimeout = Math.min(limits.timeout, LONGEST_HANDSHAKE);
  return listenShowing(
    server,
    files.listen,
    { cert: files.certificate, key: files.key, ca: files.authorities },
    { clock, log, whom: "senders", fixed: FIXED },
  );
}
