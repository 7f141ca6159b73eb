import { hostname } from "node:os";
import { resolve } from "node:path";
import type { WatchedKind } from "../../shared/function/watch-list.ts";
import { watchListOf } from "../../shared/function/watch-list-of.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { publishTo } from "../engine/publish.ts";
import { Travelling } from "../engine/travelling.ts";
import { startWatcher, type Watcher } from "../watcher/index.ts";
import { Breaks } from "./breaks.ts";
import type { HostContext, HostPart } from "./host.ts";
import { makeFolderOf } from "./open-bus.ts";

/** The watcher of the cluster, publishing to the host's bus; one of several leads. */
export async function watcherPart(
  context: HostContext,
  onSeen?: (object: KubeObject, watched: WatchedKind) => void,
): Promise<HostPart> {
  const { settings, client, cluster, bus, clock, readiness, metrics } = context;
  const log = context.log.child({ part: "watcher" });
  const { ledger, lease, identity } = settings.watcher;
  if (ledger !== ":memory:") makeFolderOf(ledger);
  // Elsewhere the functions are in this process, or behind a queue that must stay small.
  const travelling = settings.bus.kind === "nats" ? new Travelling(clock) : undefined;
  const watcher = startWatcher({
    client,
    cluster: { name: cluster },
    watchList: watchListOf(
      context.systems.flatMap(({ functions }) => functions),
      settings.namespaces,
    ),
    ledger: { file: ledger },
    publish: publishTo(bus, log, travelling),
    clock,
    log,
    identity: identity ?? `${hostname()}:${resolve(ledger)}`,
    lease: {
      namespace: lease.namespace,
      name: lease.name,
      duration: lease.duration,
      deadline: (lease.duration * 2) / 3,
      renew: lease.duration / 3,
    },
    onSeen: (object, watched) => {
      travelling?.saw(object, watched);
      onSeen?.(object, watched);
    },
  });
  const file = ledger === ":memory:" ? undefined : `${ledger}.bus`;
  const { configuration } = settings;
  const breaks = new Breaks({ bus, cluster, systems: context.systems, configuration, file, clock, log });
  await breaks.start();
  metrics.ofWatcher(watcher);
  readiness.check("watcher", () => (watcher.ready() ? undefined : whyNot(watcher)));
  return {
    async stop() {
      breaks.stop();
      await watcher.stop();
    },
  };
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
