// The watcher as it runs in a container, at the API server of $KUBECONFIG: prints a line for each object that it tells.
import { Widget } from "../../examples/widget/widget.ts";
import { startWatcher } from "../../infra/watcher/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { each } from "../../shared/function/index.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import { silent } from "../../shared/log/log.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";

const [ledger = "ledger.db"] = process.argv.slice(2);
startWatcher({
  client: createKubeClient({ connection: loadConnection() }),
  cluster: { name: "large" },
  watchList: watchListOf([each(Widget).function({ name: "nothing", reconcile: () => ({}) })]),
  ledger: { file: ledger },
  publish: async (events) => {
    for (const { type, data } of events) process.stdout.write(`${type} ${JSON.stringify(data)}\n`);
  },
  clock: systemClock,
  log: silent,
  identity: "large",
  lease: false,
});
