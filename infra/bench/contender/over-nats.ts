// Reveille over NATS as a contender: NATS_SERVER names the server, ROLE says which process this is, the rest as for main.ts.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { natsOptions, openNatsBus } from "../../../shared/bus/nats/index.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { startEngine } from "../../engine/engine.ts";
import { routingOf } from "../../engine/routing.ts";
import { clusterName } from "../../watcher/index.ts";
import { contending } from "./functions.ts";
import { plainLog } from "./log.ts";

const { WIDGET_NAMESPACE: namespace, WIDGET_CHILD: child, NATS_SERVER: server, ROLE: role } = process.env;
const { BENCH_CACHE: cache = tmpdir() } = process.env;
if (namespace === undefined || server === undefined)
  throw new Error("Set WIDGET_NAMESPACE to the namespace to look at, and NATS_SERVER to the bus.");

const log = plainLog();
const client = createKubeClient({ connection: loadConnection() });
const cluster = await clusterName(client, "race");
const routing = routingOf([contending(child === "true")]);
const bus = await openNatsBus({
  nats: natsOptions.parse({ servers: [server] }),
  functions: routing.names,
  route: routing.route,
  types: routing.types,
  log,
});
const directory = join(cache, "reveille", cluster, `${namespace}-over-nats`);
mkdirSync(directory, { recursive: true });

const engine = await startEngine({
  bus,
  routing,
  roles:
    role === "watcher"
      ? { watch: { ledger: join(directory, "ledger.db"), identity: "bench", lease: false } }
      : { work: {} },
  client,
  cluster,
  namespaces: [namespace],
  log,
});
await engine.watcher?.settled();
process.once(
  "SIGTERM",
  () =>
    void engine
      .stop()
      .then(() => bus.close())
      .then(() => process.exit(0)),
);
process.stdout.write("ready\n");
