import { Command } from "commander";
import { keepProcessSmall } from "../flags-of-node.ts";
import { withCluster, withConfig, withExamples, withSelection } from "../options.ts";
import type { SettingFlags } from "../settings.ts";

/** `reveille watcher`: follows a cluster and publishes what changes. */
export const watcher = (): Command =>
  withExamples(
    withCluster(
      withSelection(
        withConfig(
          new Command("watcher").description("follow the cluster and publish what changes; run nothing"),
        ),
      ),
    ).option("-n, --namespace <name>", "watch there alone, where the kinds allow it"),
    [
      ["As a file says", "reveille watcher --config reveille.yaml"],
      ["In one namespace", "reveille watcher --config reveille.yaml --namespace team-a"],
    ],
  ).action(async (flags: SettingFlags) => {
    keepProcessSmall();
    const { untilInterrupted } = await import("../host.ts");
    const { runWatcher } = await import("../../hosts/index.ts");
    await untilInterrupted("watcher", flags, runWatcher);
  });
