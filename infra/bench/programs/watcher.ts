// The watcher alone, as it runs beside a cluster whose functions run elsewhere: every event is published to the NATS server of the
// second argument, or to nobody.
import { join } from "node:path";
import { Widget } from "../../../examples/widget/widget.ts";
import type { Bus } from "../../../shared/bus/contract.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { each } from "../../../shared/function/index.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { silent } from "../../../shared/log/log.ts";
import { watchListOf } from "../../../shared/runner/watch-list-of.ts";
import { publishTo } from "../../engine/publish.ts";
import { startWatcher } from "../../watcher/index.ts";

const [folder = ".", server] = process.argv.slice(2);
const nothing = each(Widget).function({ name: "nothing", reconcile: () => ({}) });
const bus = server === undefined ? undefined : await connected(server);
const watcher = startWatcher({
  client: createKubeClient({ connection: loadConnection() }),
  cluster: { name: "bench" },
  watchList: watchListOf([nothing]),
  ledger: { file: join(folder, "ledger.db") },
  publish: bus === undefined ? async () => undefined : publishTo(bus, silent),
  clock: systemClock,
  log: silent,
  identity: "bench",
  lease: false,
});
process.once("SIGTERM", () => void watcher.stop().then(() => process.exit(0)));
await watcher.settled();
process.stdout.write("ready\n");

async function connected(to: string): Promise<Bus> {
  // Loaded only then: it is no part of the watcher that publishes to nobody.
  const { natsOptions, openNatsBus } = await import("../../../shared/bus/nats/index.ts");
  const nats = natsOptions.parse({ servers: [to] });
  return openNatsBus({ nats, functions: [nothing.name], route: () => [] });
}
