import type { Hints } from "../../shared/hints/hints.ts";
import { readPausedFunctions } from "../../shared/host/commands/index.ts";
import { startLocalHost } from "../../shared/host/local.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import { signaturesOf } from "../engine/signatures.ts";
import { partOf } from "../systems/parts.ts";
import type { HostContext, HostPart } from "./host.ts";

/**
 * Runs functions with items of the host's bus.
 * @param hints of a watcher in the same process; without one every run reads
 */
export async function workerPart(context: HostContext, hints?: Hints): Promise<HostPart> {
  const { settings, systems, client, connections, cluster, bus, clock } = context;
  const { parallel, only } = settings.worker;
  const here = systems
    .flatMap(({ functions }) => functions)
    .filter(({ name }) => only === undefined || only.includes(name));
  for (const system of systems) {
    const metrics = await partOf(system.name, "metrics");
    if (metrics !== undefined && here.some(({ key }) => isSameKind(key.kind, metrics.kind)))
      context.metrics.ofSystem(metrics, client);
  }
  context.metrics.ofPauses(() => readPausedFunctions(client, settings.home.namespace));
  const consumer = startLocalHost({
    systems,
    configuration: settings.configuration,
    client,
    connections,
    cluster,
    bus,
    clock,
    log: context.log.child({ part: "host" }),
    hints,
    parallel,
    only,
    namespaces: settings.namespaces,
    home: settings.home.namespace,
    nets: settings.runs.nets,
    limitMilliseconds: settings.runs.limit,
    signatures: signaturesOf({
      systems,
      configuration: settings.configuration,
      version: context.version,
      sources: context.sources,
    }),
  });
  return {
    facts: { functions: only ?? here.map(({ name }) => name) },
    stop: (milliseconds) => consumer.stop(milliseconds),
  };
}

const isSameKind = (one: Kind, other: Kind): boolean => one.group === other.group && one.kind === other.kind;
