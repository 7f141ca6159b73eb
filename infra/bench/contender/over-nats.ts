// Reveille over NATS as a contender: NATS_SERVER names the server, ROLE says which process this is, the rest as for main.ts.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { natsOptions, openNatsBus } from "../../../shared/bus/nats/index.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { startLocalHost } from "../../../shared/host/local.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { watchListOf } from "../../../shared/runner/watch-list-of.ts";
import { publishTo } from "../../engine/publish.ts";
import { routingOf } from "../../engine/routing.ts";
import { clusterName, startWatcher } from "../../watcher/index.ts";
import { contending } from "./functions.ts";
import { plainLog } from "./log.ts";

const { WIDGET_NAMESPACE: namespace, WIDGET_CHILD: child, NATS_SERVER: server, ROLE: role } = process.env;
const { BENCH_CACHE: cache = tmpdir() } = process.env;
if (namespace === undefined || server === undefined)
  throw new Error("Set WIDGET_NAMESPACE to the namespace to look at, and NATS_SERVER to the bus.");

const log = plainLog();
const client = createKubeClient({ connection: loadConnection() });
const cluster = await clusterName(client, "race");
const system = contending(child === "true");
const { functions } = system;
const { names, route, types } = routingOf([system]);
const bus = await openNatsBus({
  nats: natsOptions.parse({ servers: [server] }),
  functions: names,
  route,
  types,
  log,
});

function work(): () => Promise<void> {
  const host = startLocalHost({
    systems: [system],
    client,
    cluster,
    bus,
    clock: systemClock,
    log,
    namespaces: [namespace ?? ""],
  });
  return () => host.stop(5_000);
}

async function watch(): Promise<() => Promise<void>> {
  const directory = join(cache, "reveille", cluster, `${namespace}-over-nats`);
  mkdirSync(directory, { recursive: true });
  const watcher = startWatcher({
    client,
    cluster: { name: cluster },
    watchList: watchListOf(functions, [namespace ?? ""]),
    ledger: { file: join(directory, "ledger.db") },
    publish: publishTo(bus, log),
    clock: systemClock,
    log,
    identity: "bench",
    lease: false,
  });
  await watcher.settled();
  return () => watcher.stop();
}

const stop = role === "watcher" ? await watch() : work();
process.once(
  "SIGTERM",
  () =>
    void stop()
      .then(() => bus.close())
      .then(() => process.exit(0)),
);
process.stdout.write("ready\n");
