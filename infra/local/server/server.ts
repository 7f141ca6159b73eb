import type { IncomingMessage } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf, ReveilleError } from "../../../shared/errors.ts";
import type { Pair } from "../../../shared/tls/index.ts";
import { ApiError, internalError, unauthorized } from "../api-error.ts";
import type { ApiRequest, ApiResponse, ApiUser } from "../resource-type.ts";
import type { WatchSink } from "../watch/watch.ts";
import { answer, failure } from "./answer.ts";
import { answerUpgrade } from "./exec.ts";
import type { Service } from "./service.ts";

/** The address cannot be listened on. */
class ListenError extends ReveilleError {}

/** Finds who sent a request, or nobody. */
export type Authenticate = (headers: ApiRequest["headers"]) => ApiUser | undefined;

const largestBody = 3 * 1024 * 1024;

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves HTTPS, HTTP/1.1 and HTTP/2, until it is closed. Throws a `ListenError`. */
export async function serve(
  service: Service,
  authenticate: Authenticate,
  pair: Pair,
  host: string,
  port: number,
): Promise<RunningServer> {
  const server = createSecureServer({ allowHTTP1: true, cert: pair.certificate, key: pair.key });
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  };
  // Those that still shake hands as well: the server's end waits for them, and their clients then stay.
  server.on("connection", keep);
  server.on("secureConnection", (socket: Socket) => {
    socket.setNoDelay(true);
    keep(socket);
  });
  server.on("sessionError", (error: unknown) =>
    service.kernel.log.debug({ error: messageOf(error) }, "a connection broke"),
  );
  server.on("request", (request, response) => {
    void respond(service, authenticate, request, response);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void answerUpgrade(service, () => authenticate(request.headers), request, socket, head);
  });
  const listening = await listen(server, host, port);
  return {
    port: listening,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Listens, and resolves with the port. Throws a `ListenError`. */
export function listen(server: Http2SecureServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `port ${port} is taken: choose another with --port, or leave it out for a free one`
          : `cannot listen on ${host}:${port}: ${error.message}`;
      reject(new ListenError("LOCAL_API_LISTEN", why, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Answers a request. `url`: where what it asks for lies. */
export async function respond(
  service: Service,
  authenticate: Authenticate,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  url = request.url,
): Promise<void> {
  const { log } = service.kernel;
  response.on("error", (error) => log.debug({ error: messageOf(error) }, "an answer could not be sent"));
  let result: ApiResponse | undefined;
  try {
    const body = await bodyOf(request);
    const user = authenticate(request.headers);
    result =
      user === undefined
        ? failure(unauthorized())
        : await answer(service, requestOf(request, url, body, user), sinkOf(response));
  } catch (error) {
    if (!(error instanceof ApiError))
      log.error({ error: messageOf(error), path: request.url }, "the local API failed to answer");
    result = failure(error instanceof ApiError ? error : internalError(messageOf(error)));
  }
  if (result === undefined || response.writableEnded) return;
  const body = typeof result.body === "string" ? Buffer.from(result.body) : result.body;
  response.writeHead(result.status, { ...result.headers, "content-length": body.byteLength });
  if (request.method === "HEAD") response.end();
  else response.end(body);
}

function requestOf(request: Http2ServerRequest, url: string, body: Uint8Array, user: ApiUser): ApiRequest {
  const mark = url.indexOf("?");
  return {
    method: request.method,
    path: decoded(mark < 0 ? url : url.slice(0, mark)),
    query: new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1)),
    headers: request.headers,
    body,
    user,
  };
}

/** A path without its escapes. Bytes that are no UTF-8 are a name that nobody has, not a fault. Throws a 400. */
function decoded(path: string): string {
  if (!path.includes("%")) return path;
  if (/%(?![0-9a-fA-F]{2})/.test(path))
    throw new ApiError(400, "BadRequest", "a path has an escape that is none", { plain: "400 Bad Request" });
  const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}

async function bodyOf(request: Http2ServerRequest): Promise<Uint8Array> {
  if (request.method === "GET" || request.method === "HEAD") return new Uint8Array();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as unknown as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size <= largestBody) chunks.push(chunk);
  }
  if (size > largestBody) {
    throw new ApiError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${largestBody}`);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function sinkOf(response: Http2ServerResponse): WatchSink {
  return {
    open() {
      response.writeHead(200, { "content-type": "application/json" });
      // HTTP/1.1 holds the head back until the first byte of the body; HTTP/2 has no such method.
      if ("flushHeaders" in response && typeof response.flushHeaders === "function") response.flushHeaders();
    },
    write: (line) => {
      response.write(line);
    },
    end: () => {
      response.end();
    },
    get buffered() {
      return response.writableLength;
    },
    onClose(callback) {
      response.on("close", callback);
    },
  };
}
