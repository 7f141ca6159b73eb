import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, afterEach } from "vitest";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { type Credentials, noCredentials } from "../../shared/kube/http/connection.ts";
import { createKubeClient, type KubeClientOptions } from "../../shared/kube/http-client.ts";

/** A kind, an object of it, and who writes it. */
export const widgets = {
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
} as const;
export const place = { namespace: "team", name: "one" };
export const body = {
  apiVersion: "bench.example.org/v1",
  kind: "Widget",
  metadata: { name: "one", namespace: "team" },
};
export const writer = { fieldManager: "test" };

/** A request as it came. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
/** The answer to one request. */
export type Play = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** Servers that answer as they are told, and clients of theirs; they end with the tests of the file that asks. */
export interface PlayedServers {
  /** A server that answers the n-th request as the n-th play says; the last one goes on. */
  serve(...plays: Play[]): Promise<{ readonly url: string; readonly seen: Seen[] }>;
  connect(
    url: string,
    options?: Partial<KubeClientOptions> & { readonly credentials?: Credentials },
  ): KubeClient;
}

export function playedServers(): PlayedServers {
  const servers: Server[] = [];
  const clients: KubeClient[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return {
    async serve(...plays) {
      const seen: Seen[] = [];
      const server = createServer((request, response) => {
        let text = "";
        request.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        request.on("end", () => {
          const play = plays[Math.min(seen.length, plays.length - 1)];
          seen.push({
            method: request.method ?? "",
            url: request.url ?? "",
            headers: request.headers,
            body: text,
          });
          play?.(response, request, text);
        });
      });
      servers.push(server);
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      assert.ok(address !== null && typeof address === "object");
      return { url: `http://127.0.0.1:${address.port}`, seen };
    },
    connect(url, { credentials = noCredentials, ...rest } = {}) {
      const client = createKubeClient({
        connection: { server: url, namespace: "team", tls: {}, credentials, headers: {} },
        ...rest,
      });
      clients.push(client);
      return client;
    },
  };
}

/** An answer in JSON. */
export const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Play =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
/** An answer in plain text. */
export const text =
  (status: number, value: string, headers: Record<string, string> = {}): Play =>
  (response) => {
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(value);
  };
/** A refusal as the API server words it. */
export const status = (code: number, more: object = {}): Play =>
  json(code, { kind: "Status", apiVersion: "v1", status: "Failure", code, ...more });
/** No answer: the connection is cut. */
export const cut: Play = (_, request) => request.socket.destroy();

/** The error of a request that must fail. */
export async function failure(attempt: Promise<unknown>): Promise<KubeError> {
  try {
    await attempt;
  } catch (error) {
    assert.ok(error instanceof KubeError, `expected a KubeError, got ${error}`);
    return error;
  }
  return assert.fail("the request succeeded");
}
