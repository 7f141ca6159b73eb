import type { Bus, Route } from "../../shared/bus/contract.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { silent } from "../../shared/log/log.ts";
import { routingOf } from "../engine/routing.ts";
import { openBus } from "../hosts/open-bus.ts";
import { knownFunctionsOf, knownKindsOf } from "../systems/declared.ts";
import { version } from "../systems/package.ts";
import { withBus } from "./open-bus.ts";
import { settingsOf } from "./settings.ts";
import type { RunFile } from "./state-directory.ts";

/** The bus that a command is about. */
export interface BusChoice {
  /** The folder of `dev`. */
  readonly data: string;
  /** Settings of watcher and workers: their bus. */
  readonly config?: string | undefined;
}

/** The known facts of the installation that works on a bus. */
export type Installation = Pick<RunFile, "kinds" | "functions" | "context"> & {
  readonly kubeconfig: string | undefined;
  /** The namespace of the installation; undefined: `reveille-system`. */
  readonly home?: string | undefined;
};

/** True where a command is about the bus of watcher and workers: their settings are given, by a file or the environment. */
export const isConfigured = ({ config }: BusChoice): boolean =>
  config !== undefined ||
  Object.keys(process.env).some((name) => name === "REVEILLE_CONFIG" || name.startsWith("REVEILLE_BUS_"));

/** Opens the bus that is meant for as long as `use` takes: the one that the settings name, else the one that `dev` keeps. */
export async function withChosenBus<T>(
  choice: BusChoice,
  use: (bus: Bus, installation: Installation) => Promise<T>,
  routeOf?: () => Promise<Route>,
): Promise<T> {
  if (!isConfigured(choice)) return withBus(choice.data, use, await routeOf?.());
  const { settings, loaded } = await settingsOf({ config: choice.config });
  const routing = routingOf(loaded.systems);
  const bus = await openBus(settings, {
    name: `reveille-cli-${version}`,
    cleans: false,
    asks: true,
    routing,
    clock: systemClock,
    log: silent,
  });
  try {
    const { kubeconfig, context } = settings.cluster;
    return await use(bus, {
      kinds: knownKindsOf(routing.declarations),
      functions: knownFunctionsOf(loaded.systems),
      kubeconfig,
      context,
      home: settings.home.namespace,
    });
  } finally {
    await bus.close();
  }
}
