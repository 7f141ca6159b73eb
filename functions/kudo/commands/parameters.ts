import { UsageError } from "../../../shared/function/command-errors.ts";
import { parameterFile } from "../decide/package/index.ts";
import type { Packages } from "../ports/packages/index.ts";

/** `-p` and `-P`. */
export interface ParameterOptions {
  readonly parameter?: readonly string[];
  readonly parameterFile?: readonly string[];
}

/** The parameters of the files and of the command line: a later file counts before an earlier one, the command line before all. */
export async function parametersOf(
  { parameter = [], parameterFile: paths = [] }: ParameterOptions,
  packages: Packages,
): Promise<Readonly<Record<string, string>>> {
  const given = new Map<string, string>();
  for (const path of paths)
    for (const [name, value] of parameterFile(path, await packages.text(path))) given.set(name, value);
  for (const text of parameter) {
    const at = text.indexOf("=");
    if (at <= 0) throw new UsageError(`-p ${text}: write NAME=VALUE.`);
    given.set(text.slice(0, at), text.slice(at + 1));
  }
  return Object.fromEntries(given);
}
