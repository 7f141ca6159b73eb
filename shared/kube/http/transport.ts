import type { ClientRequest, IncomingMessage } from "node:http";
import * as http from "node:http";
import * as https from "node:https";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Clock } from "../../clock/clock.ts";
import { type Agents, createAgents } from "./agents.ts";
import type { Connection, Credential } from "./connection.ts";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with its query; below the server's own path. */
  readonly path: string;
  readonly accept: string;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
  readonly gzip?: boolean | undefined;
  /**
   * The most that this answer may weigh (`weightOf`), where that is less than for others; one with more bytes is given up while
   * it comes.
   */
  readonly mostWeight?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** A request without a whole answer. `reused`: a kept connection died before the server can have seen the request. */
export class TransportError extends Error {
  readonly reason: "aborted" | "timeout" | "tooLarge" | "broken";
  readonly reused: boolean;
  constructor(
    reason: TransportError["reason"],
    message: string,
    options: { readonly reused?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "TransportError";
    this.reason = reason;
    this.reused = options.reused ?? false;
  }
}

export interface TransportSettings {
  readonly clock: Clock;
  /** Sockets for requests; each watch has its own beside them. */
  readonly maxSockets: number;
  /** A request is given up when no byte came for so long. */
  readonly timeoutMilliseconds: number;
  /** The most bytes of one answer, decompressed. */
  readonly maxResponseBytes: number;
}

const unzip = promisify(gunzip);
const resetCodes = new Set(["ECONNRESET", "EPIPE"]);

/** HTTP/1.1 to one API server over kept connections. Knows nothing of Kubernetes. */
export class Transport {
  readonly #connection: Connection;
  readonly #settings: TransportSettings;
  readonly #send: typeof https.request;
  readonly #target: {
    readonly host: string;
    readonly port: string | undefined;
    /** Host and port as the `Host` header names them. */
    readonly authority: string;
    readonly prefix: string;
  };
  #agents: Agents | undefined;
  #certificate: string | undefined;

  constructor(connection: Connection, settings: TransportSettings) {
    const url = new URL(connection.server);
    this.#connection = connection;
    this.#settings = settings;
    this.#send = url.protocol === "http:" ? http.request : https.request;
    this.#target = {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port || undefined,
      authority: url.host,
      prefix: url.pathname.replace(/\/+$/, ""),
    };
  }

  /** Begins a request. The caller listens for `response` and `error`. A watch has a socket of its own. */
  open(wire: WireRequest, credential: Credential, purpose: "request" | "watch"): ClientRequest {
    const agents = this.#agentsFor(credential);
    // A list goes out as it is; of an object each header is checked, kept and looked up again.
    const headers: string[] = [
      "host",
      this.#target.authority,
      "accept",
      wire.accept,
      "user-agent",
      "reveille",
    ];
    for (const name in this.#connection.headers)
      for (const value of [this.#connection.headers[name] ?? []].flat()) headers.push(name, value);
    if (credential.authorization !== undefined) headers.push("authorization", credential.authorization);
    if (wire.gzip) headers.push("accept-encoding", "gzip");
    if (wire.body !== undefined)
      headers.push(
        "content-type",
        wire.contentType ?? "application/json",
        // Without it Node sends a DELETE's body as nothing at all, and the server deletes without its preconditions.
        "content-length",
        String(Buffer.byteLength(wire.body)),
      );
    const { host, port, prefix } = this.#target;
    const request = this.#send({
      host,
      port,
      method: wire.method,
      path: prefix + wire.path,
      headers,
      agent: purpose === "watch" ? agents.watches : agents.requests,
    });
    request.end(wire.body);
    return request;
  }

  /** One request and its whole answer, whatever its status. Rejects with a `TransportError`. */
  exchange(wire: WireRequest, credential: Credential): Promise<Answer> {
    const { signal } = wire;
    if (signal?.aborted)
      return Promise.reject(
        new TransportError("aborted", "The request was aborted", { cause: signal.reason }),
      );
    return new Promise((resolve, reject) => {
      const request = this.open(wire, credential, "request");
      let answered = false;
      const fail = (error: TransportError): void => {
        finish();
        reject(error);
        request.destroy(error);
      };
      const abort = (): void =>
        fail(new TransportError("aborted", "The request was aborted", { cause: signal?.reason }));
      const quiet = this.watchSilence(this.#settings.timeoutMilliseconds, () =>
        fail(new TransportError("timeout", `No answer for ${this.#settings.timeoutMilliseconds / 1000} s`)),
      );
      const finish = (): void => {
        quiet.stop();
        signal?.removeEventListener("abort", abort);
      };
      signal?.addEventListener("abort", abort, { once: true });
      request.on("error", (error: NodeJS.ErrnoException) => {
        const reused = !answered && request.reusedSocket && resetCodes.has(error.code ?? "");
        fail(
          error instanceof TransportError
            ? error
            : new TransportError("broken", error.message, { reused, cause: error }),
        );
      });
      request.on("response", (response) => {
        answered = true;
        quiet.touch();
        const most = Math.min(wire.mostWeight ?? Number.POSITIVE_INFINITY, this.#settings.maxResponseBytes);
        collect(response, most, quiet.touch).then((text) => {
          finish();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        }, fail);
      });
    });
  }

  /** Calls `onSilence` once, when `touch` was not called for `milliseconds`. One timer at a time, however often it is touched. */
  watchSilence(
    milliseconds: number,
    onSilence: () => void,
  ): { readonly touch: () => void; readonly stop: () => void } {
    const { clock } = this.#settings;
    let last = clock.now();
    const check = (): void => {
      const left = last + milliseconds - clock.now();
      if (left <= 0) onSilence();
      else cancel = clock.after(left, check);
    };
    let cancel = clock.after(milliseconds, check);
    return {
      touch: () => {
        last = clock.now();
      },
      stop: () => cancel(),
    };
  }

  /** Closes the kept connections that nobody uses: after one of them was found dead the others are suspect. */
  dropIdle(): void {
    for (const sockets of Object.values(this.#agents?.requests.freeSockets ?? {}))
      for (const socket of sockets ?? []) socket.destroy();
  }

  /** Ends all connections, watches too. */
  close(): void {
    this.#agents?.requests.destroy();
    this.#agents?.watches.destroy();
  }

  #agentsFor(credential: Credential): Agents {
    if (this.#agents === undefined || credential.certificate !== this.#certificate) {
      // Running requests and watches keep their sockets; a pool without requests empties itself.
      this.dropIdle();
      this.#agents = createAgents(this.#connection, credential, this.#settings.maxSockets);
      this.#certificate = credential.certificate;
    }
    return this.#agents;
  }
}

/** The body as text, decompressed. Rejects with a `TransportError`. */
export function collect(
  response: IncomingMessage,
  limit: number,
  onBytes: () => void = () => undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = (): TransportError =>
      new TransportError("tooLarge", `The answer is larger than ${limit} bytes`);
    response.on("data", (chunk: Buffer) => {
      onBytes();
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) response.destroy(tooLarge());
    });
    response.on("error", (error) =>
      reject(
        error instanceof TransportError
          ? error
          : new TransportError("broken", "The connection broke in the middle of the answer", {
              cause: error,
            }),
      ),
    );
    response.on("end", () => {
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      if (response.headers["content-encoding"] !== "gzip") return resolve(body.toString("utf8"));
      unzip(body, { maxOutputLength: limit }).then(
        (plain) => resolve(plain.toString("utf8")),
        (error: NodeJS.ErrnoException) =>
          reject(
            error.code === "ERR_BUFFER_TOO_LARGE"
              ? tooLarge()
              : new TransportError("broken", "The answer is no valid gzip", { cause: error }),
          ),
      );
    });
  });
}
