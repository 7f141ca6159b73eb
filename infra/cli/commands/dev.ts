import { Command, InvalidArgumentError, Option } from "commander";
import type { ClusterOptions, ConfigOption, StateOption } from "../../../shared/function/command.ts";
import { UsageError } from "../../../shared/function/command-errors.ts";
import { startWatchdog } from "../../hosts/watchdog.ts";
import type { ApiChoice } from "../dev/api.ts";
import { keepHeapSmall } from "../flags-of-node.ts";
import {
  type SelectionOptions,
  withCluster,
  withConfig,
  withExamples,
  withSelection,
  withState,
} from "../options.ts";

/** The limit of the watchdog: the default of `watchdog.limit` for hosts. */
const WATCHDOG_MILLISECONDS = 30_000;

interface DevFlags extends ClusterOptions, ConfigOption, SelectionOptions, StateOption {
  readonly port?: number;
  readonly reset?: true;
  readonly once?: true;
  readonly onceSeconds: number;
  readonly real?: true;
  readonly namespace?: string;
  readonly log: "json" | "pretty";
  readonly samples?: boolean;
  readonly simulate?: boolean;
  readonly yes?: true;
}

/** `reveille dev`: everything in one process, on a laptop or on one's own cluster. */
export const dev = (): Command =>
  withExamples(
    withState(
      withSelection(
        withCluster(
          withConfig(new Command("dev"))
            .description("run an API server, the watcher, the bus and all functions, and tell what happens")
            .option(
              "--port <number>",
              "port of the API server (default: the one of last time, or a free one)",
              port,
            )
            .option("--real", "on etcd and kube-apiserver from KUBEBUILDER_ASSETS"),
        ),
      ),
    )
      .option("-n, --namespace <name>", "watch and read there alone, where the functions allow it")
      .option("--once", "end when all has settled: 0 if nothing failed")
      .option("--once-seconds <number>", "the time that --once waits, in seconds", seconds, 120)
      .option("--reset", "forget everything of former runs first")
      .option(
        "--samples",
        "apply the samples (default: once, on an API server of our own, without --namespace)",
      )
      .option("--no-samples", "apply none")
      .option("--simulate", "play Pods and workloads (default: on an API server of our own)")
      .option("--no-simulate", "play none")
      .option("-y, --yes", "do not ask before changing a cluster")
      .addOption(
        new Option("--log <format>", "the format of the timeline")
          .choices(["pretty", "json"])
          .default("pretty"),
      ),
    [
      ["Everything, with samples, until Ctrl-C", "reveille dev"],
      ["Your own function, reloaded on save", "reveille dev --systems none --functions ./mine.ts"],
      ["For a script", "reveille dev --once --log json"],
      ["On the cluster of your kubeconfig", "reveille dev --kubeconfig ~/.kube/config --context staging"],
    ],
  ).action(async (flags: DevFlags) => {
    const own = flags.kubeconfig === undefined && flags.context === undefined;
    keepHeapSmall();
    const { runDev } = await import("../dev/run.ts");
    const stopWatchdog = startWatchdog(WATCHDOG_MILLISECONDS);
    const ended = runDev({
      api: apiOf(flags),
      data: flags.data,
      config: flags.config,
      systems: flags.systems,
      functions: flags.functions,
      namespace: flags.namespace,
      reset: flags.reset === true,
      once: flags.once === true,
      onceMilliseconds: flags.onceSeconds * 1000,
      yes: flags.yes === true,
      samples: flags.samples ?? (own && flags.namespace === undefined ? "first" : false),
      simulate: flags.simulate ?? own,
      log: flags.log,
    });
    process.exitCode = await ended.finally(stopWatchdog);
  });

function apiOf({ kubeconfig, context, real, port }: DevFlags): ApiChoice {
  const cluster = kubeconfig !== undefined || context !== undefined;
  if (cluster && real === true)
    throw new UsageError("--real and --kubeconfig name two clusters: choose one.");
  if (cluster && port !== undefined)
    throw new UsageError("--port is of an API server of our own, not of --kubeconfig.");
  if (cluster) return { kind: "kubeconfig", kubeconfig, context };
  return { kind: real === true ? "real" : "local", port };
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return number;
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError("Give a number of seconds.");
  return number;
}
