// SonataFlow with everything that it needs in one process. Its folder is the argument; asked by SIGUSR2 it prints how many keys wait.
import { sonataflow } from "../../../functions/sonataflow/index.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { startEmbeddedEngine } from "../../engine/index.ts";
import { clusterName } from "../../watcher/index.ts";

const [directory = "."] = process.argv.slice(2);
const client = createKubeClient({ connection: loadConnection() });
const engine = await startEmbeddedEngine({
  client,
  cluster: await clusterName(client, "bench"),
  systems: [sonataflow],
  directory,
  lease: false,
});
process.on("SIGUSR2", async () => {
  const counts = Object.values(await engine.bus.counts());
  const left = counts.reduce(
    (sum, { waiting, running, retrying, dead }) => sum + waiting + running + retrying + dead,
    0,
  );
  process.stdout.write(`left ${left + engine.watcher.position().dirty}\n`);
});
process.once("SIGTERM", () => void engine.stop().then(() => process.exit(0)));
await engine.watcher.settled();
process.stdout.write("ready\n");
