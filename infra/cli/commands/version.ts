import { Command } from "commander";
import type { OutputOption } from "../../../shared/function/command.ts";
import { version } from "../../systems/package.ts";
import { withExamples, withOutput } from "../options.ts";
import { outputFormat, printAs } from "../output.ts";

/** `reveille version`. */
export const versionCommand = (): Command =>
  withExamples(withOutput(new Command("version").description("print the version of Reveille and of Node")), [
    ["For a script", "reveille version -o json"],
  ]).action(({ output }: OutputOption) => {
    printAs(
      outputFormat(output),
      { reveille: version, node: process.version, platform: `${process.platform}-${process.arch}` },
      () => `reveille ${version} (node ${process.version}, ${process.platform}-${process.arch})`,
    );
  });
