import { enginePart } from "./engine-part.ts";
import { type HostOptions, runHost } from "./host.ts";
import { startWatchdog } from "./watchdog.ts";

/** Watches and publishes; runs nothing. Several may run: one leads, the others stand by. */
export const runWatcher = (options: Omit<HostOptions, "name">): Promise<void> =>
  runHost({ ...options, name: "watcher" }, [(context) => enginePart(context, { watch: true })]);

/** Runs functions; with `worker.watch` it watches as well, and then runs need not read what was just seen. */
export async function runWorker(options: Omit<HostOptions, "name">): Promise<void> {
  const { limit } = options.settings.watchdog;
  if (limit > 0 && process.pid === 1)
    options.log.warn(
      { part: "watchdog" },
      "this is process 1, which no signal of its own ends: the watchdog can tell of an event loop that stands still, and not end it; start the container with an init",
    );
  const stop = limit === 0 ? undefined : startWatchdog(limit);
  try {
    await work(options);
  } finally {
    stop?.();
  }
}

const work = (options: Omit<HostOptions, "name">): Promise<void> =>
  runHost({ ...options, name: "worker" }, [
    (context) => enginePart(context, { watch: options.settings.worker.watch, work: true }),
  ]);

/** Takes webhooks, events, commands and invocations over HTTP; runs nothing but dry runs. */
export const runServe = (options: Omit<HostOptions, "name">): Promise<void> =>
  runHost({ ...options, name: "serve" }, [
    async (context) => {
      const { servePart } = await import("./serve-part.ts");
      return servePart(context);
    },
  ]);
