import { type Command, InvalidArgumentError, Option } from "commander";
import type { Example } from "../../shared/function/command.ts";

/** The functions that are meant. */
export interface SelectionOptions {
  readonly systems?: string;
  readonly functions?: readonly string[];
}

export const withState = (command: Command): Command =>
  command.option("--data <folder>", "the folder of Reveille's files", ".reveille");

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

export const withConfig = (command: Command): Command =>
  command.option(
    "--config <file>",
    "settings, as YAML or JSON (default: the file that REVEILLE_CONFIG names)",
  );

/** Adds the options that choose a bus: the one of `dev`, or the one of watcher and workers. */
export const withBusChoice = (command: Command): Command => withConfig(withState(command));

/** Adds examples to the help of each command below, by its name. */
export function withExamplesBelow(
  command: Command,
  examples: Readonly<Record<string, readonly Example[]>>,
): Command {
  for (const sub of command.commands) {
    const own = examples[sub.name()];
    // A group has said its own.
    if (own !== undefined) withExamples(sub, own);
  }
  return command;
}

/** Adds examples to a command's help: a line of what, a line of how. */
export const withExamples = (command: Command, examples: readonly Example[]): Command =>
  command.addHelpText(
    "after",
    `\nExamples:\n${examples.map(([what, how]) => `  # ${what}\n  ${how}`).join("\n\n")}\n`,
  );

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** `90s`, `30m`, in milliseconds. */
function duration(text: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) throw new InvalidArgumentError("Write 30s, 10m or 2h.");
  return Number(amount) * factor;
}
/** A flag of a duration. */
export const durationOption = (flags: string, description: string, byDefault: string): Option =>
  new Option(flags, description).argParser(duration).default(duration(byDefault), byDefault);
