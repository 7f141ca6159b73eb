import { Command } from "commander";
import type { OutputOption } from "../../../shared/function/command.ts";
import { table } from "../../../shared/text.ts";
import { withCluster, withConfig, withExamples, withOutput, withSelection } from "../options.ts";
import { outputFormat, printAs } from "../output.ts";
import type { SettingFlags } from "../settings.ts";

/** `reveille config check`: what counts, and who said so. */
export const config = (): Command =>
  withExamples(new Command("config").description("the settings of watcher, worker and serve"), [
    ["What counts, and who said so", "reveille config check --config reveille.yaml"],
  ]).addCommand(
    withExamples(
      withOutput(
        withCluster(
          withSelection(
            withConfig(
              new Command("check").description(
                "check file and environment, print what counts and where each value comes from; secrets are sealed",
              ),
            ),
          ),
        ),
      ),
      [
        ["Of a file", "reveille config check --config reveille.yaml"],
        ["Of the environment alone, for a script", "reveille config check -o json"],
      ],
    ).action(async (flags: SettingFlags & OutputOption) => {
      const format = outputFormat(flags.output);
      const [{ settingsOf }, check, { shownSettings }] = await Promise.all([
        import("../settings.ts"),
        import("../settings-check.ts"),
        import("../../settings/index.ts"),
      ]);
      const effective = await settingsOf(flags);
      check.refuseUnusable(effective);
      const shown = shownSettings(effective);
      printAs(format, shown, () =>
        table(
          ["setting", "value", "from"],
          shown.map(({ setting, value, from }) => [setting, text(value), from]),
        ),
      );
    }),
  );

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
