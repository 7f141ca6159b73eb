import { type Command, InvalidArgumentError, Option } from "commander";
import type { AskOptions } from "../../../shared/function/asking.ts";
import type { ParameterOptions } from "./parameters.ts";

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
    .addOption(
      new Option("--wait-time <seconds>", "how long --wait waits").argParser(seconds).default(300_000, "300"),
    );

export const withDryRun = (command: Command): Command =>
  command.option("--dry-run", "tell which plan would start and which objects it would touch; write nothing");
