import { UsageError } from "../../../shared/function/command-errors.ts";
import { diskFiles } from "../ports/files/adapters/index.ts";
import { runRuntimeWatcher } from "../ports/runtime-watcher/adapters/index.ts";
import { isAddress } from "../ports/runtime-watcher/index.ts";

/** The flags of the program that watches in a runtime, each also a variable of its environment. */
export interface RuntimeWatcherFlags {
  readonly controlPlane: string;
  readonly certificate: string;
  readonly key: string;
  readonly authorities: string;
  readonly manager: string;
  readonly beat: string;
  readonly queue: string;
  readonly port: string;
  readonly metricsPort: string;
}

/** Watches in a runtime until it is told to end. Throws a `UsageError`, or a `CliError` for a file or folder that cannot be used. */
export async function runtimeWatcher(flags: RuntimeWatcherFlags): Promise<void> {
  const { controlPlane, certificate, key, authorities, manager, queue } = flags;
  if (!isAddress(controlPlane))
    throw new UsageError(`--control-plane ${controlPlane}: write a host, or host:port.`);
  const port = number("--port", flags.port, 65_535);
  const metricsPort = number("--metrics-port", flags.metricsPort, 65_535);
  const beat = number("--beat", flags.beat, 3_600) * 1_000;
  for (const file of [certificate, key, authorities]) await diskFiles.text(file);
  await diskFiles.folder(queue);
  await runRuntimeWatcher({
    port,
    metricsPort,
    files: { certificate, key, authorities },
    controlPlane,
    manager,
    folder: queue,
    beat,
  });
}

function number(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new UsageError(`${flag} ${text}: write a whole number from 1 to ${most}.`);
}
