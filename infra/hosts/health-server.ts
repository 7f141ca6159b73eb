import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf, ReveilleError } from "../../shared/errors.ts";
import type { ListenAddress } from "../settings/index.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:8081`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Answers `/healthz`, `/readyz` and, where metrics are given, `/metrics`. */
export const listenHealth = (
  address: ListenAddress,
  parts: { readonly readiness?: Readiness; readonly metrics?: Metrics },
): Promise<Listening> =>
  listen(
    createServer((request, response) => {
      const answer = (status: number, body: string, type = "text/plain; charset=utf-8"): void => {
        response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
      };
      respond(request.method, request.url, parts, answer).catch((thrown: unknown) =>
        answer(500, `${messageOf(thrown)}\n`),
      );
    }),
    address,
  );

type Answer = (status: number, body: string, type?: string) => void;

async function respond(
  method: string | undefined,
  url: string | undefined,
  { readiness, metrics }: { readonly readiness?: Readiness; readonly metrics?: Metrics },
  answer: Answer,
): Promise<void> {
  if (method !== "GET" && method !== "HEAD") return answer(405, "only GET and HEAD\n");
  const path = url?.split("?")[0];
  if (path === "/healthz" && readiness !== undefined) return answer(200, "ok\n");
  if (path === "/readyz" && readiness !== undefined) {
    const reasons = await readiness.reasons();
    return reasons.length === 0 ? answer(200, "ok\n") : answer(503, `${reasons.join("\n")}\n`);
  }
  if (path === "/metrics" && metrics !== undefined)
    return answer(200, await metrics.text(), metrics.contentType);
  const there = [
    ...(readiness === undefined ? [] : ["/healthz", "/readyz"]),
    ...(metrics === undefined ? [] : ["/metrics"]),
  ];
  answer(404, `there is ${there.join(", ")}\n`);
}

/** A port cannot be listened on. */
export class ListenRefusedError extends ReveilleError {
  constructor(address: ListenAddress, cause: unknown) {
    super(
      "HOST_LISTEN_REFUSED",
      `${address.host}:${address.port} cannot be listened on (${messageOf(cause)}): choose another address, or end what listens there.`,
      { cause },
    );
  }
}

/** Listens there. Throws a `ListenRefusedError`. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<Listening> {
  server.requestTimeout = 10_000;
  server.headersTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(new ListenRefusedError({ host, port }, cause)));
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
