// The watcher alone, as it runs beside a cluster whose functions run elsewhere: every event is published to nobody.
import { join } from "node:path";
import { Widget } from "../../../examples/widget/widget.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { each } from "../../../shared/function/index.ts";
import { watchListOf } from "../../../shared/function/watch-list-of.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { silent } from "../../../shared/log/log.ts";
import { startWatcher } from "../../watcher/index.ts";

const [folder = "."] = process.argv.slice(2);
const nothing = each(Widget).function({ name: "nothing", reconcile: () => ({}) });
const watcher = startWatcher({
  client: createKubeClient({ connection: loadConnection() }),
  cluster: { name: "bench" },
  watchList: watchListOf([nothing]),
  ledger: { file: join(folder, "ledger.db") },
  publish: async () => undefined,
  clock: systemClock,
  log: silent,
  identity: "bench",
  lease: false,
});
process.once("SIGTERM", () => void watcher.stop().then(() => process.exit(0)));
await watcher.settled();
process.stdout.write("ready\n");
