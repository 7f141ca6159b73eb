import type { IncomingHttpHeaders, RequestOptions } from "node:http";
import * as https from "node:https";
import { Agent, request } from "../../../../shared/node-http.ts";

/** For how long a request waits, in milliseconds. */
export interface Limits {
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
}

/** The answer to a request, whatever it says. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const secure = new https.Agent({ keepAlive: true });
const plain = new Agent({ keepAlive: true });
/** Longer than any of them waits for messages. */
const MILLISECONDS = 30_000;

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/** Sends one request on a kept connection. Rejects with `TimeoutError`, with `AbortError`, or with what broke the connection. */
export function exchange(
  {
    url,
    method,
    headers,
    body,
    signal,
  }: {
    readonly url: URL;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal?: AbortSignal | undefined;
  },
  { connectionTimeout = MILLISECONDS, requestTimeout = MILLISECONDS }: Partial<Limits>,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(named("AbortError", "Request aborted"));
    const isPlain = url.protocol === "http:";
    const options: RequestOptions = {
      method,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    };
    const outgoing = isPlain
      ? request(url, { ...options, agent: plain })
      : https.request(url, { ...options, agent: secure });
    const timers = new Set<NodeJS.Timeout>();
    const endAfter = (milliseconds: number, what: string): NodeJS.Timeout => {
      const timer = setTimeout(
        () =>
          outgoing.destroy(named("TimeoutError", `${url.host} did not ${what} within ${milliseconds} ms.`)),
        milliseconds,
      );
      timers.add(timer);
      return timer;
    };
    const abort = (): void => void outgoing.destroy(named("AbortError", "Request aborted"));
    const ended = (): void => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const failed = (error: Error): void => {
      ended();
      reject(error);
    };
    signal?.addEventListener("abort", abort, { once: true });
    endAfter(requestTimeout, "answer");
    outgoing.on("socket", (socket) => {
      if (!socket.connecting) return;
      const timer = endAfter(connectionTimeout, "take a connection");
      socket.once(isPlain ? "connect" : "secureConnect", () => clearTimeout(timer));
    });
    outgoing.on("error", failed);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", failed);
      response.on("end", () => {
        ended();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.end(body);
  });
}
