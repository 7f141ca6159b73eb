import type { Command, Option } from "commander";
import type { KubeClient } from "../kube/client.ts";
import type { Kind } from "../kube/kind.ts";
import type { Follow } from "./following.ts";
import type { RunHere } from "./running-here.ts";

/** `--data`: the folder in which `dev` keeps everything. */
export interface StateOption {
  readonly data: string;
}
/** `-o`: the format of a result. */
export interface OutputOption {
  readonly output?: string;
}
/** `--kubeconfig` and `--context`: the cluster that is meant. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}
/** `--config`: the file of the settings. */
export interface ConfigOption {
  readonly config?: string;
}

/** The format of a result; undefined is the text for people. */
export type OutputFormat = "json" | "yaml" | undefined;

/** One example of a command's help: its purpose, and the line to type. */
export type Example = readonly [what: string, how: string];

/**
 * The tools that the command line hands to a system's own commands: a system's folder holds no code that parses flags, reads
 * kubeconfigs or prints, and every command takes the same flags for the same thing.
 */
export interface CommandTools {
  /** Makes a command of that name, with the sentence that its help begins with. */
  readonly command: (name: string, description: string) => Command;
  /** Adds `--kubeconfig` and `--context`. */
  readonly withCluster: (command: Command) => Command;
  /** Adds `--data`. */
  readonly withState: (command: Command) => Command;
  /** Adds `-o`. */
  readonly withOutput: (command: Command) => Command;
  /** Adds `--config`. */
  readonly withConfig: (command: Command) => Command;
  /** Adds examples to the help of the command. */
  readonly withExamples: (command: Command, examples: readonly Example[]) => Command;
  /** Adds examples to the help of each command below, by its name. */
  readonly withExamplesBelow: (
    command: Command,
    examples: Readonly<Record<string, readonly Example[]>>,
  ) => Command;
  /** Makes a flag that takes `30s`, `10m` or `2h`, read as milliseconds, and refuses any other text; the help tells its default in the same words. */
  readonly durationOption: (flags: string, description: string, byDefault: string) => Option;
  /**
   * Asks the cluster that is named, else the one of `--data`, else the one that kubectl would ask. `namespace` is that of its context, else
   * `default`.
   */
  readonly ask: <T>(
    options: ClusterOptions & StateOption,
    use: (client: KubeClient, namespace: string) => Promise<T>,
  ) => Promise<T>;
  /** The system's configuration as the settings have it; with its samples' where the cluster asked is one that `dev` applied them to. */
  readonly configurationOf: (options: ConfigOption & ClusterOptions & StateOption) => Promise<unknown>;
  /** The objects that a cluster needs before the system's functions run in it: the CRDs of these kinds, roles, and what registers admissions. */
  readonly installation: (options: ConfigOption, kinds: readonly Kind[]) => Promise<readonly object[]>;
  /** Runs functions of the system in this process until a command has seen enough. */
  readonly runHere: RunHere;
  /** Follows all objects of a kind until it is stopped. */
  readonly follow: Follow;
  /** The value of `-o`. Throws a `UsageError`. */
  readonly outputFormat: (text: string | undefined) => OutputFormat;
  /** Prints a result on stdout. */
  readonly print: (text: string) => void;
  /** Prints a value as JSON or YAML, or as the text for people. */
  readonly printAs: (format: OutputFormat, value: unknown, text: () => string) => void;
  /** Prints objects as a stream of YAML documents, or as a List in JSON. */
  readonly printAll: (format: OutputFormat, objects: readonly object[]) => void;
  /** Prints warnings and progress on stderr: text that is no result. */
  readonly say: (text: string) => void;
}

/** The type of `commands`, which `commands.ts` of a system exports: `reveille <system> …`, loaded when that word is typed. */
export type SystemCommands = (tools: CommandTools) => Command;
