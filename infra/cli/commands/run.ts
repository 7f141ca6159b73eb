import { Command } from "commander";
import { compileEarly, keepHeapClose } from "../flags-of-node.ts";
import { withCluster, withConfig, withExamples, withSelection } from "../options.ts";
import type { SettingFlags } from "../settings.ts";

/** `reveille run`: watcher, functions and HTTP in one process. */
export const runCommand = (): Command =>
  withExamples(
    withCluster(
      withSelection(
        withConfig(
          new Command("run").description(
            "follow the cluster and run functions in one process, for a small installation; serve too, where callers are set",
          ),
        ),
      ),
    )
      .option("-n, --namespace <name>", "watch and read there alone, where the kinds allow it")
      .option("--only <names...>", "run these functions alone"),
    [
      ["As a file says", "reveille run --config reveille.yaml"],
      ["With the bus in a file beside it", "reveille run --kubeconfig ~/.kube/config"],
    ],
  ).action(async (flags: SettingFlags) => {
    compileEarly();
    keepHeapClose();
    const { untilInterrupted } = await import("../host.ts");
    const { runAll } = await import("../../hosts/index.ts");
    await untilInterrupted("run", flags, runAll);
  });
