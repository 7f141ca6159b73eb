import { type Command, Option } from "commander";

/** Where `dev` keeps everything. */
export interface StateOption {
  readonly data: string;
}
export interface OutputOption {
  readonly output?: string;
}
/** Which functions are meant. */
export interface SelectionOptions {
  readonly systems?: string;
  readonly functions?: readonly string[];
}
/** Which cluster is meant. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export const withState = (command: Command): Command =>
  command.option("--data <folder>", "where Reveille keeps its files", ".reveille");

export const withOutput = (command: Command): Command =>
  command.addOption(new Option("-o, --output <format>", "print as").choices(["json", "yaml"]));

export const withSelection = (command: Command): Command =>
  command
    .option(
      "--systems <names>",
      "systems by name, separated by commas, or none (default: all; on a cluster of yours, all that need not be named)",
    )
    .option("--functions <modules...>", "modules of your own functions (TypeScript or JavaScript)");

export const withCluster = (command: Command): Command =>
  command
    .option("--kubeconfig <file>", "the cluster that this file names")
    .option("--context <name>", "a context of the kubeconfig other than the current one");

/** A `reveille serve` elsewhere. */
export interface ServerOptions {
  readonly server?: string;
  readonly tokenFile?: string;
}

export const withServer = (command: Command): Command =>
  command
    .option("--server <url>", "a `reveille serve` to ask, instead of what runs on --data")
    .option("--token-file <file>", "the file of the bearer token for --server");

/** Where the settings are. */
export interface ConfigOption {
  readonly config?: string;
}

export const withConfig = (command: Command): Command =>
  command.option(
    "--config <file>",
    "settings, as YAML or JSON (default: the file that REVEILLE_CONFIG names)",
  );

/** Which bus: the one of `dev`, or the one of watcher and workers. */
export const withBusChoice = (command: Command): Command => withConfig(withState(command));

/** Adds examples to the help of each command below, by its name. */
export function withExamplesBelow(
  command: Command,
  examples: Readonly<Record<string, readonly (readonly [string, string])[]>>,
): Command {
  for (const sub of command.commands) withExamples(sub, examples[sub.name()] ?? []);
  return command;
}

/** Adds examples to a command's help: a line of what, a line of how. */
export const withExamples = (command: Command, examples: readonly (readonly [string, string])[]): Command =>
  command.addHelpText(
    "after",
    `\nExamples:\n${examples.map(([what, how]) => `  # ${what}\n  ${how}`).join("\n\n")}\n`,
  );
