import { userInfo } from "node:os";
import type { Bus } from "../../../shared/bus/contract.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { System } from "../../../shared/function/system.ts";
import { configuredFunctions } from "../../../shared/host/configuration.ts";
import { functionConsole, type Invocation } from "../../../shared/host/console/index.ts";
import { otherClustersOf } from "../../../shared/host/other-clusters.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { silent } from "../../../shared/log/log.ts";
import { eventTypesOf } from "../../engine/event-types.ts";
import { clusterConnection } from "../../hosts/cluster-connection.ts";
import { EMBEDDED_FILE, type Settings } from "../../settings/index.ts";
import { functionsOf } from "../../systems/declared.ts";
import { clusterName } from "../../watcher/index.ts";
import { type BusChoice, isConfigured, withChosenBus } from "../chosen-bus.ts";
import { openCluster } from "../cluster.ts";
import { isLocked } from "../dev/lock.ts";
import { openBus } from "../open-bus.ts";
import { settingsOf } from "../settings.ts";
import { readRunFile, stateDirectory } from "../state-directory.ts";
import { loadToRun, selectionOfRun } from "./run-systems.ts";

/** An item that is handed to a function. */
export interface Handed {
  readonly name: string;
  readonly event: unknown;
  readonly dryRun: boolean;
}

/**
 * Hands an event to a function on the cluster and the bus that are meant: those of the settings where these are of watcher and
 * workers, else those of what runs, or ran, on the data directory.
 */
export async function invokeHere(handed: Handed, choice: BusChoice): Promise<Invocation> {
  if (isConfigured(choice)) {
    const { settings, loaded } = await settingsOf({ config: choice.config }, loadToRun);
    const { kind, embedded } = settings.bus;
    const namesBus = kind !== "embedded" || embedded.file !== EMBEDDED_FILE;
    // Settings without a bus may configure the functions of a `dev`, which keeps one for itself.
    if (namesBus || readRunFile(stateDirectory(choice.data)) === undefined)
      return bySettings(handed, choice, settings, loaded.systems);
  }
  return onData(handed, choice);
}

/** Dry it needs the cluster alone, with the rights of whoever asks; else the bus, and somebody who works on it. */
async function bySettings(
  handed: Handed,
  choice: BusChoice,
  settings: Settings,
  systems: readonly System[],
): Promise<Invocation> {
  const connection = await clusterConnection(settings.cluster, process.env, systemClock);
  const client = createKubeClient({ connection });
  try {
    const cluster = await clusterName(client, settings.cluster.name ?? connection.cluster);
    const { configuration, namespaces } = settings;
    const place = { client, cluster, systems, configuration, namespaces };
    return handed.dryRun
      ? await invokeOn(handed, place)
      : await withChosenBus(choice, (bus) => invokeOn(handed, { ...place, bus }));
  } finally {
    client.close();
  }
}

async function onData(handed: Handed, { data, config }: BusChoice): Promise<Invocation> {
  const { bus, run } = openBus(data);
  const { client } = openCluster({ kubeconfig: run.kubeconfig, context: run.context });
  try {
    if (!handed.dryRun && !isLocked(stateDirectory(data)))
      throw new CliError(
        "CLI_NOT_RUNNING",
        "Nothing runs here now that could run it: start `reveille dev`, or look at what it would do with --dry-run.",
      );
    const { settings, loaded } = await settingsOf({ config, ...selectionOfRun(run) }, loadToRun);
    const { cluster, namespaces } = run;
    const { configuration } = settings;
    return await invokeOn(handed, {
      client,
      cluster,
      systems: loaded.systems,
      configuration,
      namespaces,
      bus,
    });
  } finally {
    client.close();
    await bus.close();
  }
}

interface Place {
  readonly client: KubeClient;
  readonly cluster: string;
  readonly systems: readonly System[];
  readonly configuration: Settings["configuration"];
  readonly namespaces: readonly string[] | undefined;
  readonly bus?: Bus;
}

async function invokeOn(
  { name, event, dryRun }: Handed,
  { systems, configuration, ...place }: Place,
): Promise<Invocation> {
  const types = eventTypesOf(functionsOf(systems));
  const others = otherClustersOf({
    systems,
    configuration,
    client: place.client,
    clock: systemClock,
    log: silent,
  });
  const console = functionConsole({
    ...place,
    functions: configuredFunctions(systems, configuration),
    others,
    clock: systemClock,
    types: () => types,
  });
  const { signal } = new AbortController();
  try {
    return await console.invoke(name, event, { dryRun, askedBy: userInfo().username, signal });
  } finally {
    others.close();
  }
}
