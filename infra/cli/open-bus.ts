import type { Bus, Route } from "../../shared/bus/contract.ts";
import { openEmbeddedClient } from "../../shared/bus/embedded/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { type RunFile, requireRun, stateDirectory } from "./state-directory.ts";

/** The bus that `dev` keeps or kept in a folder, also while it runs. Whoever opens it closes it. Throws a `CliError` where there is none. */
export function openBus(data: string, route: Route = () => []): { readonly bus: Bus; readonly run: RunFile } {
  const { run, bus } = requireRun(stateDirectory(data));
  return { run, bus: openEmbeddedClient({ file: bus, route, clock: systemClock }) };
}

/** Opens the bus for as long as `use` takes. */
export async function withBus<T>(
  data: string,
  use: (bus: Bus, run: RunFile) => Promise<T>,
  route?: Route,
): Promise<T> {
  const { bus, run } = openBus(data, route);
  try {
    return await use(bus, run);
  } finally {
    await bus.close();
  }
}
