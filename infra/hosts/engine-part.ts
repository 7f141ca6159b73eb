import { type Engine, startEngine } from "../engine/engine.ts";

import type { HostContext, HostPart } from "./host.ts";
import { makeFolderOf } from "./open-bus.ts";
import { eventually } from "./retry.ts";
import { tellOfWatcher, watchRole, webhookKeeper } from "./watcher-part.ts";
import { functionsHere, tellOfOlderCrds, tellOfWork, workRole } from "./worker-part.ts";

/** The roles of a host. */
export interface HostRoles {
  /** It watches the cluster, and publishes to the host's bus; one of several leads. */
  readonly watch?: boolean;
  /** It runs functions with items of that bus. */
  readonly work?: boolean;
}

/** The engine on the host's bus, with the roles, times and rights that the settings give it. */
export async function enginePart(
  context: HostContext,
  { watch = false, work = false }: HostRoles,
): Promise<HostPart> {
  const { settings, version, sources, clock, log, readiness, signal } = context;
  if (work) {
    await tellOfOlderCrds({ client: context.client, functions: functionsHere(context), log });
    await tellOfWork(context);
  }
  let engine: Engine | undefined;
  const leads = (): boolean => engine?.watcher?.position().leader === true;
  const keeper = watch ? webhookKeeper(context, leads) : undefined;
  const start = (): Promise<Engine> => {
    if (watch && settings.watcher.ledger !== ":memory:") makeFolderOf(settings.watcher.ledger);
    return startEngine({
      bus: context.bus,
      routing: context.routing,
      roles: {
        watch: watch ? { ...watchRole(settings), onLead: () => keeper?.lead() } : undefined,
        work: work ? workRole(context) : undefined,
      },
      client: context.client,
      cluster: context.cluster,
      configuration: settings.configuration,
      code: { version, sources },
      namespaces: settings.namespaces,
      home: settings.home.namespace,
      clock,
      log,
    });
  };
  // A disk may be full at the start as well as later: it goes on by itself once there is room.
  const started = await eventually(start, {
    clock,
    log: log.child({ part: "watcher" }),
    signal,
    waits: (reason) => readiness.waits("watcher", reason),
  });
  engine = started;
  const heartbeat = started.watcher && tellOfWatcher(context, started.watcher);
  return {
    ...(work && { facts: { functions: functionsHere(context).map(({ name }) => name) } }),
    async stop(milliseconds) {
      await heartbeat?.stop();
      await keeper?.stop();
      await started.stop(milliseconds);
    },
  };
}
