// Kyma over NATS: KUBECONFIG, NATS_SERVER and COMPONENTS say where everything lies, ROLE which process this is.
import { join } from "node:path";
import { kyma } from "../../../functions/kyma/index.ts";
import { configuredComponents } from "../../../functions/kyma/ports/components/adapters/index.ts";
import { components } from "../../../functions/kyma/ports/components/index.ts";
import { issuer } from "../../../functions/kyma/ports/issuer/index.ts";
import { memoryHandlers } from "../../../functions/kyma/ports/trusted-handlers/adapters/index.ts";
import { trustedHandlers } from "../../../functions/kyma/ports/trusted-handlers/index.ts";
import { quickIssuer, WATCHER } from "../../../functions/kyma/test/issuing.ts";
import { natsOptions, openNatsBus } from "../../../shared/bus/nats/index.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { startEngine } from "../../engine/engine.ts";
import { routingOf } from "../../engine/routing.ts";
import { plainLog } from "../contender/log.ts";

const { NATS_SERVER: server = "", COMPONENTS: folder = "", FOLDER: own = ".", ROLE: role } = process.env;
/** Keys that a worker runs at once: three of them share two cores with four servers, and more only make each other wait. */
const PARALLEL = 8;
const log = plainLog();
const client = createKubeClient({ connection: loadConnection() });
const routing = routingOf([kyma]);
const bus = await openNatsBus({
  nats: natsOptions.parse({ servers: [server] }),
  functions: routing.names,
  route: routing.route,
  types: routing.types,
  log,
});
// Keys of 4096 bits take a second each: these are short.
const ports = [
  components.bind(configuredComponents({ folder })),
  issuer.bind(quickIssuer),
  trustedHandlers.bind(memoryHandlers()),
];
// Without nets: of 30,000 keys 17 fall due in a second, so that no such fleet is ever quiet, and every figure would be one of nets, too.
const engine = await startEngine({
  bus,
  routing,
  roles:
    role === "watcher"
      ? { watch: { ledger: join(own, "ledger.db"), identity: "bench", lease: false } }
      : { work: { ports, parallel: PARALLEL, nets: false } },
  client,
  cluster: "fleet",
  configuration: { kyma: { registry: { folder }, rollOutMinutes: 0, watcher: WATCHER } },
  log,
});
await engine.watcher?.settled();
process.once("SIGTERM", () => {
  void engine
    .stop()
    .then(() => bus.close())
    .then(() => process.exit(0));
});
process.stdout.write("ready\n");
