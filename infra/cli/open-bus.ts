import type { Route } from "../../shared/bus/contract.ts";
import { type EmbeddedBus, openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { type RunFile, requireRun, stateDirectory } from "./state-directory.ts";

/** The bus that `dev` keeps or kept in a folder, also while it runs. Whoever opens it closes it. Throws a `CliError` where there is none. */
export function openBus(
  data: string,
  route: Route = () => [],
): { readonly bus: EmbeddedBus; readonly run: RunFile } {
  const { run, bus } = requireRun(stateDirectory(data));
  return { run, bus: openEmbeddedBus({ file: bus, route, clock: systemClock }) };
}

/** Opens the bus for as long as `use` takes. */
export async function withBus<T>(
  data: string,
  use: (bus: EmbeddedBus, run: RunFile) => Promise<T>,
  route?: Route,
): Promise<T> {
  const { bus, run } = openBus(data, route);
  try {
    return await use(bus, run);
  } finally {
    await bus.close();
  }
}
