// The version operator with everything that it needs in one process, on payloads that lie in a folder.
import { adapters } from "../../../functions/cluster-version/adapters.ts";
import { clusterVersionSystem } from "../../../functions/cluster-version/index.ts";
import { withAdapters } from "../../../shared/host/configuration.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { startEmbeddedEngine } from "../../engine/index.ts";
import { clusterName } from "../../watcher/index.ts";

const [payloads = "."] = process.argv.slice(2);
const client = createKubeClient({ connection: loadConnection() });
const engine = await startEmbeddedEngine({
  client,
  cluster: await clusterName(client, "bench"),
  systems: [withAdapters(clusterVersionSystem, adapters)],
  configuration: { "cluster-version": { payloads, kinds: ["*"] } },
  lease: false,
});
process.once("SIGTERM", () => void engine.stop().then(() => process.exit(0)));
await engine.watcher.settled();
process.stdout.write("ready\n");
