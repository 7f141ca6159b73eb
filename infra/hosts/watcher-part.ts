import { hostname } from "node:os";
import { resolve } from "node:path";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { sqsClient } from "../../shared/bus/sqs/clients.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { publishTo } from "../engine/publish.ts";
import { signaturesOf } from "../engine/signatures.ts";
import { type Onlooker, startWatcher, type Watcher } from "../watcher/index.ts";
import { Breaks } from "./breaks.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { HostContext, HostPart } from "./host.ts";
import { makeFolderOf } from "./open-bus.ts";
import { eventually } from "./retry.ts";

/** The watcher of the cluster, publishing to the host's bus; one of several leads. */
export async function watcherPart(context: HostContext, onlooker?: Onlooker): Promise<HostPart> {
  const { settings, client, cluster, bus, clock, readiness, metrics } = context;
  const log = context.log.child({ part: "watcher" });
  const { ledger, lease, identity } = settings.watcher;
  const { version, systems } = context;
  const signatures = signaturesOf({
    systems,
    configuration: settings.configuration,
    version,
    sources: context.sources,
  });
  const breaks = new Breaks({ cluster, systems, signatures, clock, log });
  const start = (): Watcher => {
    if (ledger !== ":memory:") makeFolderOf(ledger);
    return startWatcher({
      client,
      cluster: { name: cluster },
      watchList: watchListOf(
        context.systems.flatMap(({ functions }) => functions),
        settings.namespaces,
      ),
      ledger: { file: ledger },
      publish: publishTo(bus, log),
      clock,
      log,
      identity: identity ?? `${hostname()}:${resolve(ledger)}`,
      lease: {
        namespace: lease.namespace ?? settings.home.namespace,
        name: lease.name,
        duration: lease.duration,
        deadline: (lease.duration * 2) / 3,
        renew: lease.duration / 3,
      },
      onLead: breaks.led,
      onlooker,
    });
  };
  // A disk may be full at the start as well as later: it goes on by itself once there is room.
  const watcher = await eventually(start, {
    clock,
    log,
    signal: context.signal,
    waits: (reason) => readiness.waits("watcher", reason),
  });
  breaks.start({ bus, watcher });
  metrics.ofWatcher(watcher);
  const heartbeat = heartbeatOf(context, watcher);
  readiness.check("watcher", () => (watcher.ready() ? undefined : whyNot(watcher)));
  return {
    async stop() {
      await heartbeat?.stop();
      await breaks.stop();
      await watcher.stop();
    },
  };
}

/** Undefined where the settings name no queue for it. */
function heartbeatOf({ settings, clock, log }: HostContext, watcher: Watcher): Heartbeat | undefined {
  const { kind, sqs } = settings.bus;
  if (kind !== "sqs" || sqs?.heartbeatQueue === undefined) return undefined;
  const QueueUrl = sqs.heartbeatQueue;
  const queues = sqsClient(sqs);
  return new Heartbeat({
    alive: () => watcher.ready() && watcher.position().leader,
    send: async () => void (await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: "beat" }))),
    clock,
    log,
  });
}

function whyNot(watcher: Watcher): string {
  const { publishing, streams, dirty, leader, holder } = watcher.position();
  if (!publishing) return `the bus does not take what it publishes; ${dirty} changes wait`;
  const lacking = streams.flatMap(({ kind, namespace, state }) => {
    const where = namespace === undefined ? kind : `${kind} in ${namespace}`;
    if (state.name === "streaming" || state.name === "absent") return [];
    if (state.name === "backingOff") return [`${where}: ${state.error}`];
    if (state.name === "forbidden")
      return [
        `${where}: this account may not ${state.missing.verb} ${state.missing.resource} of "${state.missing.group}"`,
      ];
    return [`${where} is ${state.name}`];
  });
  if (lacking.length > 0) return lacking.join("; ");
  return leader || holder !== undefined
    ? `it does not follow everything yet; ${dirty} changes wait`
    : "it could not read or write its Lease yet";
}
