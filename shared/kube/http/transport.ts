import type { Agent, ClientRequest } from "node:http";
import * as https from "node:https";
import type { Clock } from "../../clock/clock.ts";
import { request } from "../../node-http.ts";
import { type Agents, createAgents, mayMeetProxy, secureOptions } from "./agents.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { collect, unzipped } from "./body.ts";
import type { Connection, Credential } from "./connection.ts";
import type { Exchange } from "./kept-connection.ts";
import { KeptConnections } from "./kept-connections.ts";
import { type Answer, TransportError, type WireRequest } from "./wire.ts";

export interface TransportSettings {
  readonly clock: Clock;
  /** Sockets for requests; each watch has its own beside them. */
  readonly maxSockets: number;
  /** A connection that carries nothing for so long is closed. Default: its server closes it. */
  readonly idleMilliseconds?: number | undefined;
  /** A request is given up when no byte came for so long. */
  readonly timeoutMilliseconds: number;
  /** The most bytes of one answer, decompressed. */
  readonly maxResponseBytes: number;
}

/** Sockets by purpose, for one credential. */
interface Sockets extends Agents {
  /** For requests that go straight to the server; undefined where there may be a proxy. */
  readonly kept: KeptConnections | undefined;
}

/** Characters that mean nothing but themselves in a head. */
const plain = /^[\x20-\x7e]*$/;
const plainPath = /^[\x21-\x7e]+$/;
const plainName = /^[\w!#$%&'*+.^`|~-]+$/;

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
  readonly #mayMeetProxy: boolean;
  #sockets: Sockets | undefined;
  #certificate: string | undefined;
  /** The head besides its request, with this authorization. Undefined: Node's own client shall judge it. */
  #head: { readonly authorization: string | undefined; readonly text: string | undefined } | undefined;

  constructor(connection: Connection, settings: TransportSettings) {
    const url = new URL(connection.server);
    this.#connection = connection;
    this.#settings = settings;
    this.#send = url.protocol === "http:" ? request : https.request;
    this.#target = {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port || undefined,
      authority: url.host,
      prefix: url.pathname.replace(/\/+$/, ""),
    };
    this.#mayMeetProxy = mayMeetProxy(connection);
  }

  /** Begins a request. The caller listens for `response` and `error`. A watch has a socket of its own. */
  open(wire: WireRequest, credential: Credential, purpose: "request" | "watch"): ClientRequest {
    const agents = this.#socketsFor(credential);
    // A list goes out as it is; of an object each header is checked, kept and looked up again.
    const headers: string[] = ["accept", wire.accept, ...this.#headersOf(credential)];
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
    const text = this.#plainText(wire, credential);
    if (text === undefined) return this.#exchangeByNode(wire, credential);
    const { kept } = this.#socketsFor(credential);
    return kept === undefined ? this.#exchangeByNode(wire, credential) : this.#exchangeKept(wire, text, kept);
  }

  /** Over a connection of ours: one write, and an answer of which only the body is read. */
  #exchangeKept(wire: WireRequest, text: string, kept: KeptConnections): Promise<Answer> {
    const { signal } = wire;
    return new Promise((resolve, reject) => {
      const most = this.#mostOf(wire);
      const abort = (): void =>
        kept.giveUp(
          exchange,
          new TransportError("aborted", "The request was aborted", { cause: signal?.reason }),
        );
      const quiet = this.watchSilence(this.#settings.timeoutMilliseconds, () =>
        kept.giveUp(exchange, this.#timeout()),
      );
      const finish = (): void => {
        quiet.stop();
        signal?.removeEventListener("abort", abort);
      };
      const exchange: Exchange = {
        text,
        most,
        onBytes: quiet.touch,
        answered: (reader) => {
          finish();
          resolve(reader.gzip ? unzippedAnswer(reader, most) : plainAnswer(reader));
        },
        failed: (error) => {
          finish();
          reject(error);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      kept.send(exchange);
    });
  }

  /** Over node:http: through a proxy, or with a head that is not plain. */
  #exchangeByNode(wire: WireRequest, credential: Credential): Promise<Answer> {
    const { signal } = wire;
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
      const quiet = this.watchSilence(this.#settings.timeoutMilliseconds, () => fail(this.#timeout()));
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
        collect(response, this.#mostOf(wire), quiet.touch).then((text) => {
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

  /** The parts of a WebSocket's handshake: it goes the way of a watch, on a socket of its own. */
  handshake(
    path: string,
    credential: Credential,
  ): {
    readonly url: string;
    readonly headers: Record<string, string | string[]>;
    readonly agent: Agent;
  } {
    const names = this.#headersOf(credential);
    const headers: Record<string, string | string[]> = {};
    for (let at = 0; at < names.length; at += 2) {
      const [name = "", value = ""] = names.slice(at, at + 2);
      const before = headers[name];
      headers[name] = before === undefined ? value : [before, value].flat();
    }
    const server = new URL(this.#connection.server);
    const scheme = server.protocol === "http:" ? "ws:" : "wss:";
    return {
      url: `${scheme}//${server.host}${this.#target.prefix}${path}`,
      headers,
      agent: this.#socketsFor(credential).watches,
    };
  }

  /** Closes the kept connections that nobody uses: after one of them was found dead the others are suspect. */
  dropIdle(): void {
    this.#sockets?.kept?.dropIdle();
    for (const sockets of Object.values(this.#sockets?.requests.freeSockets ?? {}))
      for (const socket of sockets ?? []) socket.destroy();
  }

  /** Ends all connections, watches too. */
  close(): void {
    this.#sockets?.kept?.close();
    this.#sockets?.requests.destroy();
    this.#sockets?.watches.destroy();
  }

  #mostOf(wire: WireRequest): number {
    return Math.min(wire.mostWeight ?? Number.POSITIVE_INFINITY, this.#settings.maxResponseBytes);
  }

  #timeout(): TransportError {
    return new TransportError("timeout", `No answer for ${this.#settings.timeoutMilliseconds / 1000} s`);
  }

  /** Names and values by turns that every request with this credential carries. */
  #headersOf(credential: Credential): string[] {
    const headers = ["host", this.#target.authority, "user-agent", "reveille"];
    for (const name in this.#connection.headers)
      for (const value of [this.#connection.headers[name] ?? []].flat()) headers.push(name, value);
    if (credential.authorization !== undefined) headers.push("authorization", credential.authorization);
    return headers;
  }

  /** Head and body as they are written. Undefined: a character in the head may mean something. */
  #plainText(wire: WireRequest, credential: Credential): string | undefined {
    const { method, path, accept, contentType = "application/json", body } = wire;
    const head = this.#headFor(credential);
    if (head === undefined || !plainPath.test(path) || !plain.test(accept + contentType)) return undefined;
    const encoding = wire.gzip ? "accept-encoding: gzip\r\n" : "";
    const begin = `${method} ${this.#target.prefix}${path} HTTP/1.1\r\naccept: ${accept}\r\n${encoding}${head}`;
    if (body !== undefined)
      return `${begin}content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return method === "GET" ? `${begin}\r\n` : `${begin}content-length: 0\r\n\r\n`;
  }

  #headFor(credential: Credential): string | undefined {
    const { authorization } = credential;
    if (this.#head === undefined || this.#head.authorization !== authorization) {
      const headers = this.#headersOf(credential);
      let text = "";
      let isPlain = plain.test(this.#target.prefix);
      for (let at = 0; at < headers.length; at += 2) {
        const [name = "", value = ""] = headers.slice(at, at + 2);
        isPlain &&= plainName.test(name) && plain.test(value);
        text += `${name}: ${value}\r\n`;
      }
      this.#head = { authorization, text: isPlain ? text : undefined };
    }
    return this.#head.text;
  }

  #socketsFor(credential: Credential): Sockets {
    if (this.#sockets === undefined || credential.certificate !== this.#certificate) {
      // Running requests and watches keep their sockets; a pool without requests empties itself.
      this.dropIdle();
      this.#sockets?.kept?.retire();
      const { maxSockets, clock, idleMilliseconds } = this.#settings;
      const tls = secureOptions(this.#connection, credential);
      const { host, port } = this.#target;
      const destination = { host, port: Number(port ?? (tls === undefined ? 80 : 443)), tls };
      this.#sockets = {
        ...createAgents(this.#connection, tls, maxSockets, idleMilliseconds),
        kept: this.#mayMeetProxy
          ? undefined
          : new KeptConnections(destination, maxSockets, clock, idleMilliseconds),
      };
      this.#certificate = credential.certificate;
    }
    return this.#sockets;
  }
}

const plainAnswer = (reader: AnswerReader): Answer => ({
  status: reader.status,
  text: reader.body.toString("utf8"),
  // Of a success nobody asks for them.
  get headers() {
    return reader.headers;
  },
});

const unzippedAnswer = async (reader: AnswerReader, most: number): Promise<Answer> => ({
  status: reader.status,
  headers: reader.headers,
  text: await unzipped(reader.body, most),
});
