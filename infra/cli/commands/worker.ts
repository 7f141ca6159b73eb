import { Command } from "commander";
import { compileEarly, keepHeapClose } from "../flags-of-node.ts";
import { withCluster, withConfig, withExamples, withSelection } from "../options.ts";
import type { SettingFlags } from "../settings.ts";

/** `reveille worker`: runs functions with items of a bus. */
export const worker = (): Command =>
  withExamples(
    withCluster(
      withSelection(
        withConfig(new Command("worker").description("run functions with what the watcher published")),
      ),
    )
      .option("-n, --namespace <name>", "read there alone, where the kinds allow it")
      .option("--only <names...>", "run these functions alone"),
    [
      ["As a file says", "reveille worker --config reveille.yaml"],
      ["Some functions alone", "reveille worker --config reveille.yaml --only widget"],
    ],
  ).action(async (flags: SettingFlags) => {
    compileEarly();
    keepHeapClose();
    const { untilInterrupted } = await import("../host.ts");
    const { runWorker } = await import("../../hosts/index.ts");
    await untilInterrupted("worker", flags, runWorker);
  });
