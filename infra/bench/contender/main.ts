// Reveille as a contender of the race: KUBECONFIG, WIDGET_NAMESPACE and WIDGET_CHILD say what to do, `ready` is printed once it
// watches, and it runs until SIGTERM. Bus and ledger are files that survive a restart, as with `reveille dev`.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { startEmbeddedEngine } from "../../engine/index.ts";
import { clusterName } from "../../watcher/index.ts";
import { contending } from "./functions.ts";
import { plainLog } from "./log.ts";

const { WIDGET_NAMESPACE: namespace, WIDGET_CHILD: child, BENCH_CACHE: cache = tmpdir() } = process.env;
if (namespace === undefined) throw new Error("Set WIDGET_NAMESPACE to the namespace to look at.");

const client = createKubeClient({ connection: loadConnection() });
const cluster = await clusterName(client, "race");
const directory = join(cache, "reveille", cluster, namespace);
mkdirSync(directory, { recursive: true });

const engine = await startEmbeddedEngine({
  client,
  cluster,
  systems: [contending(child === "true")],
  namespaces: [namespace],
  directory,
  log: plainLog(),
  // One watcher alone, as the other contenders run without leader election.
  lease: false,
});
process.once("SIGTERM", () => void engine.stop().then(() => process.exit(0)));
await engine.watcher.settled();
process.stdout.write("ready\n");
