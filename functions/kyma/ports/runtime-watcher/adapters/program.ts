import { once } from "node:events";
import { createServer } from "node:http";
import pino from "pino";
import { systemClock } from "../../../../../shared/clock/clock.ts";
import type { RuntimeWatcherCounts, RuntimeWatcherOptions } from "../contract.ts";
import { startRuntimeWatcher } from "./start.ts";

/** Runs the program until it is told to end (SIGTERM, SIGINT). What is still to be told stays in its folder. */
export async function runRuntimeWatcher({
  metricsPort,
  ...options
}: Omit<RuntimeWatcherOptions, "clock" | "log"> & { readonly metricsPort: number }): Promise<void> {
  const log = pino({ base: null }, pino.destination({ fd: 1, sync: true }));
  const running = await startRuntimeWatcher({ ...options, clock: systemClock, log });
  const metrics = createServer((request, response) => {
    const known = request.url === "/metrics" && request.method === "GET";
    response.writeHead(known ? 200 : 404, { "content-type": "text/plain; version=0.0.4" });
    response.end(known ? metricsText(running.counts()) : "");
  });
  metrics.listen(metricsPort);
  try {
    await once(metrics, "listening");
  } catch (thrown) {
    await running.stop();
    throw thrown;
  }
  log.info({ port: running.port }, "watches");
  const over = new AbortController();
  const end = (): void => over.abort();
  process.once("SIGTERM", end).once("SIGINT", end);
  await once(over.signal, "abort");
  metrics.close();
  metrics.closeAllConnections();
  await running.stop();
  log.info(running.counts(), "ended");
}

/** The counts as Prometheus reads them. */
export const metricsText = ({ asked, delivered, failed, waiting }: RuntimeWatcherCounts): string =>
  (
    [
      ["watcher_admission_request_total", "counter", "Questions of the API server.", asked],
      ["watcher_kcp_requests_total", "counter", "Deliveries to the control plane.", delivered + failed],
      ["watcher_failed_kcp_total", "counter", "Deliveries that did not arrive.", failed],
      ["watcher_waiting_objects", "gauge", "Objects that are still to be told.", waiting],
    ] as const
  )
    .map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
    .join("");
