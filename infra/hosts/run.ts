import { BusError } from "../../shared/bus/errors.ts";
import { enginePart } from "./engine-part.ts";
import { type HostContext, type HostOptions, type HostPart, runHost } from "./host.ts";
import { startWatchdog } from "./watchdog.ts";

type Options = Omit<HostOptions, "name">;

/** Watches and publishes; runs nothing. Several may run: one leads, the others stand by. */
export async function runWatcher(options: Options): Promise<void> {
  refuseEmbedded(options, "watcher");
  await runHost({ ...options, name: "watcher" }, [(context) => enginePart(context, { watch: true })]);
}

/** Runs functions with what watchers publish. */
export async function runWorker(options: Options): Promise<void> {
  refuseEmbedded(options, "worker");
  await watched(options, () =>
    runHost({ ...options, name: "worker" }, [(context) => enginePart(context, { work: true })]),
  );
}

/** Watches, runs functions and serves in one process; so runs need not read what was just seen. */
export const runAll = (options: Options): Promise<void> =>
  watched(options, () =>
    runHost({ ...options, name: "run" }, [
      (context) => enginePart(context, { watch: true, work: true }),
      ...(isServed(options) ? [serving] : []),
    ]),
  );

/** Takes webhooks, events, commands and invocations over HTTP; runs nothing but dry runs. */
export const runServe = (options: Options): Promise<void> =>
  runHost({ ...options, name: "serve" }, [serving]);

async function serving(context: HostContext): Promise<HostPart> {
  const { servePart } = await import("./serve-part.ts");
  return servePart(context);
}

/** True where somebody may ask: without callers, triggers, certificates and admissions nobody would be answered. */
const isServed = ({ settings: { serve } }: Options): boolean =>
  serve.admission !== undefined ||
  serve.certified !== undefined ||
  Object.keys(serve.callers).length > 0 ||
  Object.values(serve.triggers).some((trigger) => trigger?.secretFile !== undefined);

/** The embedded bus belongs to one process. @throws BusError with both ways out */
function refuseEmbedded({ settings }: Options, name: "watcher" | "worker"): void {
  if (settings.bus.kind !== "embedded") return;
  throw new BusError(
    "BUS_MISCONFIGURED",
    `A ${name} cannot share the embedded bus, which belongs to one process: start \`reveille run\`, which is watcher and worker in one, or choose a bus for several processes (bus.kind: nats).`,
  );
}

async function watched({ settings, log }: Options, work: () => Promise<void>): Promise<void> {
  const { limit } = settings.watchdog;
  if (limit > 0 && process.pid === 1)
    log.warn(
      { part: "watchdog" },
      "this is process 1, which no signal of its own ends: the watchdog can tell of an event loop that stands still, and not end it; start the container with an init",
    );
  const stop = limit === 0 ? undefined : startWatchdog(limit);
  try {
    await work();
  } finally {
    stop?.();
  }
}
