import { Command } from "commander";
import { systemClock } from "../../../shared/clock/clock.ts";
import type { ClusterOptions, CommandTools, StateOption } from "../../../shared/function/command.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { silent } from "../../../shared/log/log.ts";
import { followWith } from "../../systems/follow.ts";
import * as options from "../options.ts";
import { outputFormat, print, printAs, say } from "../output.ts";

/** The tools for the commands of this system. A module that takes long to load is loaded when it is used. */
export const toolsFor = (system: string): CommandTools => ({
  command: (name, description) => new Command(name).description(description),
  withCluster: options.withCluster,
  withState: options.withState,
  withOutput: options.withOutput,
  withConfig: options.withConfig,
  withExamples: options.withExamples,
  withExamplesBelow: options.withExamplesBelow,
  duration: options.duration,
  ask,
  async configurationOf({ config, data }) {
    const [{ settingsOf }, { withSampleConfiguration }, { readRunFile, stateDirectory }] = await Promise.all([
      import("../settings.ts"),
      import("../../systems/samples.ts"),
      import("../state-directory.ts"),
    ]);
    const { settings } = await settingsOf({ config, systems: system });
    const applied = readRunFile(stateDirectory(data))?.samples.includes(system) === true;
    const { configuration } = settings;
    return (applied ? withSampleConfiguration([system], configuration) : configuration)[system] ?? {};
  },
  follow: followWith(systemClock, silent),
  outputFormat,
  print,
  printAs,
  say,
});

async function ask<T>(
  { kubeconfig, context, data }: ClusterOptions & StateOption,
  use: (client: KubeClient) => Promise<T>,
): Promise<T> {
  const [{ openCluster }, { readRunFile, stateDirectory }] = await Promise.all([
    import("../cluster.ts"),
    import("../state-directory.ts"),
  ]);
  const run =
    kubeconfig === undefined && context === undefined ? readRunFile(stateDirectory(data)) : undefined;
  const { client } = openCluster(run ?? { kubeconfig, context });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
