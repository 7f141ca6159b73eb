import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";

const STARTED = "http.server.request.start";

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Looks at the requests that a server of this process has in flight, from outside of it. */
export interface RequestsAtOnce {
  /** The most that were in flight at once since it began to look. */
  most(): number;
  /** Ends to look. */
  stop(): void;
}

/** @param counts false: a request that is left out */
export function requestsAtOnce(port: number, counts: (request: IncomingMessage) => boolean): RequestsAtOnce {
  let inFlight = 0;
  let most = 0;
  const started = (message: unknown): void => {
    const { request, response } = message as Started;
    if (request.socket.localPort !== port || !counts(request)) return;
    inFlight += 1;
    most = Math.max(most, inFlight);
    response.once("close", () => {
      inFlight -= 1;
    });
  };
  subscribe(STARTED, started);
  return { most: () => most, stop: () => unsubscribe(STARTED, started) };
}
