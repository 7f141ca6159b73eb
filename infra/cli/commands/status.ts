import { Command } from "commander";
import type { ConfigOption, OutputOption, StateOption } from "../../../shared/function/command.ts";
import { withBusChoice, withExamples, withOutput } from "../options.ts";
import { outputFormat, printAs } from "../output.ts";

/** `reveille status`: leader, lag, and the work of each function. */
export const status = (): Command =>
  withExamples(
    withOutput(
      withBusChoice(new Command("status").description("print what waits, runs, is tried again or failed")),
    ),
    [
      ["For a script", "reveille status -o json | jq .counts"],
      ["Of watcher and workers", "reveille status --config reveille.yaml"],
    ],
  ).action(async (options: OutputOption & StateOption & ConfigOption) => {
    const format = outputFormat(options.output);
    const { isConfigured } = await import("../chosen-bus.ts");
    if (isConfigured(options)) {
      const { hostsStatus, hostsText, hostsValue } = await import("../status/hosts.ts");
      const found = await hostsStatus(options);
      printAs(format, hostsValue(found), () => hostsText(found));
    } else {
      const { devStatus, devText, devValue } = await import("../status/dev.ts");
      const found = await devStatus(options.data);
      printAs(format, devValue(found), () => devText(found));
    }
  });
