import type { AddressInfo } from "node:net";
import { createServer } from "../../../shared/node-http.ts";
import type { WatcherPosition } from "../../watcher/index.ts";
import type { Stack } from "./stack.ts";

/** The facts that only the running process knows: `reveille status` asks for them. */
export interface MonitorAnswer {
  readonly pid: number;
  readonly ready: boolean;
  readonly watcher: WatcherPosition;
  /** Bytes. */
  readonly residentMemory: number;
  readonly requests: Readonly<Record<string, number>>;
}

export interface Monitor {
  readonly url: string;
  stop(): Promise<void>;
}

/** Answers on a free port of the loopback: `/status`, `/healthz`, `/readyz`. It shows positions and counts, no objects. */
export async function startMonitor(stack: Stack): Promise<Monitor> {
  const server = createServer((request, response) => {
    const ready = stack.watcher.ready() && stack.bus.ready();
    const answer = (status: number, body: string, type = "text/plain"): void => {
      response.writeHead(status, { "content-type": type }).end(body);
    };
    switch (request.url) {
      case "/status":
        return answer(200, JSON.stringify(statusOf(stack, ready)), "application/json");
      case "/healthz":
        return answer(200, "ok\n");
      case "/readyz":
        return answer(ready ? 200 : 503, ready ? "ok\n" : "not ready\n");
      default:
        return answer(404, "there are /status, /healthz and /readyz\n");
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const statusOf = (stack: Stack, ready: boolean): MonitorAnswer => ({
  pid: process.pid,
  ready,
  watcher: stack.watcher.position(),
  residentMemory: process.memoryUsage.rss(),
  requests: stack.api.client.requests,
});
