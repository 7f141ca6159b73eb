import { type Command, InvalidArgumentError } from "commander";
import type { ClusterOptions, CommandTools, StateOption } from "../../../shared/function/command.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import type { ParameterOptions } from "./parameters.ts";

/** The flags of every command that asks a cluster. */
export interface AskOptions extends ClusterOptions, StateOption {
  readonly namespace?: string;
}
/** Flags with the namespace that is meant. */
export type Placed<O extends AskOptions> = O & { readonly namespace: string };

/** The flags of commands about one Instance. */
export interface InstanceOptions extends AskOptions {
  readonly instance: string;
}
/** The flags of commands that may follow a run. */
export interface WaitOptions {
  readonly wait?: true;
  readonly waitTime: number;
}
/** The flags of commands that write a spec. */
export interface ChangeOptions extends InstanceOptions, WaitOptions, ParameterOptions {
  readonly dryRun?: true;
}

const collect = (one: string, before: readonly string[] = []): readonly string[] => [...before, one];

/** A number of seconds, in milliseconds. */
function seconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("Give a number of seconds.");
  return Number(text) * 1000;
}

/** A command about a namespace of a cluster. */
export const asking = (tools: CommandTools, name: string, description: string): Command =>
  tools
    .withCluster(tools.withState(tools.command(name, description)))
    .option("-n, --namespace <name>", "the namespace (default: that of the kubeconfig's context)");

/** Asks the cluster; without `-n` in the namespace of its context, which is known once the kubeconfig is read. */
export const askIn = <O extends AskOptions, T>(
  tools: CommandTools,
  given: O,
  use: (client: KubeClient, options: Placed<O>) => Promise<T>,
): Promise<T> =>
  tools.ask(given, (client, namespace) => use(client, { ...given, namespace: given.namespace ?? namespace }));

export const withInstance = (command: Command): Command =>
  command.requiredOption("--instance <name>", "the Instance");

export const withParameters = (command: Command): Command =>
  command
    .option("-p, --parameter <name=value>", "the value of a parameter; several times for several", collect)
    .option(
      "-P, --parameter-file <file>",
      "YAML of names and values; -p counts before it, a later file before an earlier one",
      collect,
    );

export const withWait = (command: Command): Command =>
  command
    .option("--wait", "follow the plan to its end: exit code 0 complete, 1 failed, 2 not in time")
    .option("--wait-time <seconds>", "how long --wait waits", seconds, 300_000);

export const withDryRun = (command: Command): Command =>
  command.option("--dry-run", "tell which plan would start and which objects it would touch; write nothing");
