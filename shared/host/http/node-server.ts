import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import { messageOf } from "../../errors.ts";
import { createServer } from "../../node-http.ts";
import type { FetchHandler } from "./answer.ts";
import { rememberPeer } from "./caller.ts";

/** Serves a fetch handler by node:http or node:https, and tells it the client's certificate where the server verified one. */
export const nodeListener =
  (handler: FetchHandler): RequestListener =>
  (incoming, outgoing) => {
    const abort = new AbortController();
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) abort.abort();
    });
    let request: Request;
    try {
      request = requestOf(incoming, abort.signal);
    } catch (thrown) {
      // A method or address that no Request may have.
      outgoing.writeHead(400, { connection: "close" }).end(`${messageOf(thrown)}\n`);
      return;
    }
    void handler(request).then(
      async (response) => {
        // The rest of a body that was refused unread would stand in the way of the next request.
        if (!incoming.complete) outgoing.setHeader("connection", "close");
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.end(Buffer.from(await response.arrayBuffer()));
      },
      (reason: unknown) => outgoing.destroy(reason instanceof Error ? reason : undefined),
    );
  };

/** A server of its own that is not yet listening. */
export const nodeServer = (handler: FetchHandler): Server => createServer(nodeListener(handler));

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", headers, url = "/", socket } = incoming;
  const list = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  // Nothing of the header Host may count as a part of the path.
  const base = new URL(`http://${headers.host || "localhost"}`).origin;
  // A path that begins with two slashes is a path, where `new URL(url, base)` would take it for a host.
  const request = new Request(url.startsWith("/") ? new URL(base + url) : new URL(url, base), {
    method,
    headers: list,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" }),
  });
  const verified = socket instanceof TLSSocket && socket.authorized;
  const name: unknown = verified ? socket.getPeerCertificate().subject?.CN : undefined;
  // A certificate may have several common names, and then none that counts.
  rememberPeer(request, { verified, certificate: typeof name === "string" ? name : undefined });
  return request;
}
