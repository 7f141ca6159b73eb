// A worker over NATS whose runs do nothing. Arguments: the server, how many keys at once.
import { natsOptions, openNatsBus } from "../../../shared/bus/nats/index.ts";
import { finished, itemOf } from "../measures/bus.ts";

const [server = "", parallel = "64"] = process.argv.slice(2);
const bus = await openNatsBus({
  nats: natsOptions.parse({ servers: [server] }),
  functions: ["widget"],
  route: (event) => [itemOf(event)],
});
const consumer = bus.consume({ parallel: Number(parallel) }, async ({ item }) => ({
  ...finished(item),
  run: { ...finished(item).run, writes: [] },
}));
process.once(
  "SIGTERM",
  () =>
    void consumer
      .stop(5_000)
      .then(() => bus.close())
      .then(() => process.exit(0)),
);
process.stdout.write("ready\n");
