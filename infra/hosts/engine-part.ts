import { type Engine, startEngine } from "../engine/engine.ts";
import type { HostContext, HostPart } from "./host.ts";
import { makeFolderOf } from "./open-bus.ts";
import { eventually } from "./retry.ts";

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
  // A process loads the code of the roles that it has.
  const watching = watch ? await import("./watcher-part.ts") : undefined;
  const working = work ? await import("./worker-part.ts") : undefined;
  const functions = working?.functionsHere(context) ?? [];
  await working?.tellOfOlderCrds({ client: context.client, functions, log });
  await working?.tellOfWork(context);
  let engine: Engine | undefined;
  const leads = (): boolean => engine?.watcher?.position().leader === true;
  const keeper = await watching?.webhookKeeper(context, leads);
  const start = (): Promise<Engine> => {
    if (watching && settings.watcher.ledger !== ":memory:") makeFolderOf(settings.watcher.ledger);
    return startEngine({
      bus: context.bus,
      routing: context.routing,
      roles: {
        watch: watching && { ...watching.watchRole(settings), onLead: () => keeper?.lead() },
        work: working?.workRole(context),
      },
      client: context.client,
      others: context.others,
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
  const heartbeat = started.watcher && (await watching?.tellOfWatcher(context, started.watcher));
  return {
    ...(working && { facts: { functions: functions.map(({ name }) => name) } }),
    async stop(milliseconds) {
      await heartbeat?.stop();
      await keeper?.stop();
      await started.stop(milliseconds);
    },
  };
}
