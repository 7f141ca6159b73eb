import type { Command, Option } from "commander";
import { program } from "../../infra/cli/program.ts";

/** A command that does something, as the program declares it. */
export interface Leaf {
  /** `dead-letters list`. */
  readonly path: string;
  readonly options: readonly Option[];
  readonly command: Command;
}

/** Every command that does something, each once, in the order of the help; those that only hold others are left out. */
export async function leaves(): Promise<readonly Leaf[]> {
  const below = (command: Command, before: string): readonly Leaf[] => {
    const path = `${before} ${command.name()}`.trim();
    if (command.commands.length > 0) return command.commands.flatMap((sub) => below(sub, path));
    return [{ path, options: command.options, command }];
  };
  return (await program()).commands.flatMap((command) => below(command, ""));
}

/** `--to-latest`, `--no-samples`. */
export const flagOf = (option: Option): string => option.long ?? option.flags;

/** The command and the flags that a command line names. */
export function named(
  words: readonly string[],
  all: readonly Leaf[],
): { readonly leaf: Leaf | undefined; readonly flags: ReadonlySet<string> } {
  const text = words.join(" ");
  const leaf = all.find(({ path }) => text === path || text.startsWith(`${path} `));
  const flags = new Set<string>();
  for (const word of words)
    for (const option of leaf?.options ?? [])
      if (word === option.long || word === option.short) flags.add(flagOf(option));
  return { leaf, flags };
}
