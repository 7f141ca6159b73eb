import { createServer } from "node:https";
import type { Clock } from "../../shared/clock/clock.ts";
import { type FetchHandler, nodeListener } from "../../shared/host/http/index.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Settings } from "../settings/index.ts";
import { listenShowing, type ShowingListener } from "./shown-files.ts";

interface Listens {
  readonly clock: Clock;
  readonly log: Log;
  /** The time for which a question is waited for until it is whole, in milliseconds. Default: 30 s. */
  readonly longest?: number;
}

/** Milliseconds for which somebody who connects and says nothing is waited for. */
const LONGEST_HANDSHAKE = 5_000;
/** The API server waits no longer for an answer; whoever sends more slowly takes what all bodies together may. */
const LONGEST_QUESTION = 30_000;

/**
 * Answers the API server by TLS. The files of the certificate may be missing at first, and change: both are looked at every ten seconds.
 * Until they are there the handshake fails, which the API server takes for being down. Throws a `ListenRefusedError`.
 */
export async function listenForAdmissions(
  handler: FetchHandler,
  { certificate, key, ...settings }: NonNullable<Settings["serve"]["admission"]>,
  { clock, log, longest = LONGEST_QUESTION }: Listens,
): Promise<ShowingListener> {
  const patience = Math.min(longest, LONGEST_HANDSHAKE);
  const server = createServer(
    {
      connectionsCheckingInterval: 1_000,
      handshakeTimeout: patience,
      headersTimeout: patience,
      requestTimeout: longest,
    },
    nodeListener(handler),
  );
  return listenShowing(
    server,
    settings.listen,
    { cert: certificate, key },
    { clock, log, whom: "the API server" },
  );
}
