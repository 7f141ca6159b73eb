// KUDO's Instances, and Widgets as the keys of others, with everything that they need in one process. Its folder is the argument; asked by
// SIGUSR2 it prints the requests that it has sent, watches apart, and how many keys are left.
import { kudo } from "../../../functions/kudo/index.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { startEmbeddedEngine } from "../../engine/index.ts";
import { clusterName } from "../../watcher/index.ts";
import { contending } from "../contender/functions.ts";
import { plainLog } from "../contender/log.ts";

const [directory = ".", ...namespaces] = process.argv.slice(2);
const client = createKubeClient({ connection: loadConnection() });
const engine = await startEmbeddedEngine({
  client,
  cluster: await clusterName(client, "bench"),
  systems: [kudo, contending(false)],
  ...(namespaces.length > 0 && { namespaces }),
  directory,
  log: plainLog(),
  lease: false,
});
process.on("SIGUSR2", async () => {
  const counts = Object.values(await engine.bus.counts());
  const left = counts.reduce(
    (sum, { waiting, running, retrying, dead }) => sum + waiting + running + retrying + dead,
    0,
  );
  const { watch: watches = 0, ...requests } = client.requests;
  const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const position = engine.watcher.position();
  process.stdout.write(`state ${JSON.stringify({ watches, sent, left: left + position.dirty })}\n`);
});
process.once("SIGTERM", () => void engine.stop().then(() => process.exit(0)));
await engine.watcher.settled();
process.stdout.write("ready\n");
