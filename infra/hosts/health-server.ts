import { messageOf } from "../../shared/errors.ts";
import { createServer } from "../../shared/node-http.ts";
import type { ListenAddress } from "../settings/index.ts";
import { type Listening, listen } from "./listen.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

/** Answers `/healthz`, `/readyz` and, where metrics are given, `/metrics`. */
export function listenHealth(
  address: ListenAddress,
  parts: { readonly readiness?: Readiness; readonly metrics?: Metrics },
): Promise<Listening> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = "text/plain; charset=utf-8"): void => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    };
    respond(request.method, request.url, parts, answer).catch((thrown: unknown) =>
      answer(500, `${messageOf(thrown)}\n`),
    );
  });
  server.requestTimeout = 10_000;
  server.headersTimeout = 5_000;
  return listen(server, address);
}

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
