import { resolve } from "node:path";
import { Command } from "commander";
import { systemClock } from "../../../shared/clock/clock.ts";
import type { ClusterOptions, CommandTools, StateOption } from "../../../shared/function/command.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { silent } from "../../../shared/log/log.ts";
import { followWith } from "../../systems/follow.ts";
import * as options from "../options.ts";
import { outputFormat, print, printAll, printAs, say } from "../output.ts";
import type { RunFile } from "../state-directory.ts";

/** The tools for the commands of this system. A module that takes long to load is loaded when it is used. */
export const toolsFor = (system: string): CommandTools => ({
  command: (name, description) => new Command(name).description(description),
  withCluster: options.withCluster,
  withState: options.withState,
  withOutput: options.withOutput,
  withConfig: options.withConfig,
  withExamples: options.withExamples,
  withExamplesBelow: options.withExamplesBelow,
  durationOption: options.durationOption,
  ask,
  async configurationOf(given) {
    const [{ settingsOf }, { withSampleConfiguration }, run] = await Promise.all([
      import("../settings.ts"),
      import("../../systems/samples.ts"),
      runMeant(given),
    ]);
    const { settings } = await settingsOf({ config: given.config, systems: system });
    const applied = run?.samples.includes(system) === true;
    const { configuration } = settings;
    return (applied ? withSampleConfiguration([system], configuration) : configuration)[system] ?? {};
  },
  runHere: async (given, follow) => {
    const { runHereFor } = await import("../run-here.ts");
    return runHereFor(system)(given, follow);
  },
  follow: followWith(systemClock, silent),
  outputFormat,
  print,
  printAll,
  printAs,
  say,
  installation: ({ config }, kinds) => installationOf(system, config, kinds),
});

/** The CRDs of the kinds; where hosts know the system, the roles of its functions and what registers its admissions. */
async function installationOf(
  system: string,
  config: string | undefined,
  kinds: readonly Kind[],
): Promise<readonly object[]> {
  const [{ settingsOf }, { admittedTo }, { functionsOf }, grants, { crdOf }, { knownSystems }, webhooks] =
    await Promise.all([
      import("../settings.ts"),
      import("../../../shared/host/configuration.ts"),
      import("../../systems/declared.ts"),
      import("../../systems/rbac.ts"),
      import("../../../shared/kube/crd.ts"),
      import("../../systems/known.ts"),
      import("../../systems/webhooks.ts"),
    ]);
  const known = knownSystems().includes(system);
  const { settings, loaded } = await settingsOf({ config, systems: known ? system : "none" });
  const admitted = admittedTo(loaded.systems, settings.configuration);
  const functions = functionsOf(loaded.systems);
  const roles = known
    ? grants.rbacObjects([
        ...grants.watcherGrants(functions, undefined, admitted),
        ...functions.flatMap((one) => grants.functionGrants(one, undefined, admitted(one))),
      ])
    : [];
  // As they are installed: the leading watcher fills them, and the Secret with the certificate.
  const configurations = webhooks.emptyConfigurations(loaded.systems);
  const secret = {
    namespace: settings.home.namespace,
    name: settings.watcher.webhooks?.secret ?? webhooks.WEBHOOKS_SECRET,
  };
  return [
    ...kinds.map(crdOf),
    ...roles,
    ...configurations,
    ...(configurations.length > 0 ? [webhooks.emptySecret(secret)] : []),
  ];
}

async function ask<T>(
  options: ClusterOptions & StateOption,
  use: (client: KubeClient, namespace: string) => Promise<T>,
): Promise<T> {
  const [{ openCluster }, run] = await Promise.all([import("../cluster.ts"), runMeant(options)]);
  const { kubeconfig, context } = options;
  const { client, connection } = openCluster(run ?? { kubeconfig, context });
  try {
    return await use(client, connection.namespace);
  } finally {
    client.close();
  }
}

/** The run on `--data`, where its cluster is the one that is asked: no other is named. */
async function runMeant({
  kubeconfig,
  context,
  data,
}: ClusterOptions & StateOption): Promise<RunFile | undefined> {
  const { readRunFile, stateDirectory } = await import("../state-directory.ts");
  // As a plugin of kubectl it asks the cluster that kubectl asks, whatever runs on this machine.
  if (process.env.REVEILLE_KUBECTL === "true" || context !== undefined) return undefined;
  const run = readRunFile(stateDirectory(data));
  return kubeconfig === undefined || resolve(kubeconfig) === run?.kubeconfig ? run : undefined;
}
