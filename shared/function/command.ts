import type { Command } from "commander";
import type { KubeClient } from "../kube/client.ts";
import type { Follow } from "./following.ts";

/** Where `dev` keeps everything. */
export interface StateOption {
  readonly data: string;
}
/** How a result is printed. */
export interface OutputOption {
  readonly output?: string;
}
/** Which cluster is meant. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}
/** Where the settings are. */
export interface ConfigOption {
  readonly config?: string;
}

export type OutputFormat = "json" | "yaml" | undefined;

/** One example of a command's help: what it is for, and the line to type. */
export type Example = readonly [what: string, how: string];

/**
 * What the command line hands to a system's own commands: a system's folder holds no code that parses flags, reads kubeconfigs or
 * prints, and every command takes the same flags for the same thing.
 */
export interface CommandTools {
  /** A command of that name, with the sentence that its help begins with. */
  readonly command: (name: string, description: string) => Command;
  /** Adds `--kubeconfig` and `--context`. */
  readonly withCluster: (command: Command) => Command;
  /** Adds `--data`. */
  readonly withState: (command: Command) => Command;
  /** Adds `-o`. */
  readonly withOutput: (command: Command) => Command;
  /** Adds `--config`. */
  readonly withConfig: (command: Command) => Command;
  readonly withExamples: (command: Command, examples: readonly Example[]) => Command;
  /** Adds examples to the help of each command below, by its name. */
  readonly withExamplesBelow: (
    command: Command,
    examples: Readonly<Record<string, readonly Example[]>>,
  ) => Command;
  /** Reads `30s`, `10m` or `2h` as milliseconds; whatever else is refused. */
  readonly duration: (text: string) => number;
  /** Asks the cluster that is named, else the one of `--data`, else the one that kubectl would ask. */
  readonly ask: <T>(
    options: ClusterOptions & StateOption,
    use: (client: KubeClient) => Promise<T>,
  ) => Promise<T>;
  /** The system's configuration as the settings have it; with its samples' where `dev` applied them to `--data`. */
  readonly configurationOf: (options: ConfigOption & StateOption) => Promise<unknown>;
  /** Follows all objects of a kind until it is stopped. */
  readonly follow: Follow;
  /** The value of `-o`. Throws a `UsageError`. */
  readonly outputFormat: (text: string | undefined) => OutputFormat;
  /** Prints a result on stdout. */
  readonly print: (text: string) => void;
  /** Prints a value as JSON or YAML, or as the text for people. */
  readonly printAs: (format: OutputFormat, value: unknown, text: () => string) => void;
  /** Prints on stderr what is no result: warnings, progress. */
  readonly say: (text: string) => void;
}

/** What `commands.ts` of a system exports as `commands`: `reveille <system> …`, loaded when that word is typed. */
export type SystemCommands = (tools: CommandTools) => Command;
