import { Command } from "commander";
import type { OutputOption } from "../../../shared/function/command.ts";
import { table } from "../../../shared/text.ts";
import { type SelectionOptions, withExamples, withOutput, withSelection } from "../options.ts";
import { outputFormat, printAs } from "../output.ts";

/** `reveille routes`: the router's table. */
export const routes = (): Command =>
  withExamples(
    withOutput(withSelection(new Command("routes").description("print which change wakes which function"))),
    [["Who is woken by a Deployment?", "reveille routes | grep Deployment"]],
  ).action(async (options: OutputOption & SelectionOptions) => {
    const format = outputFormat(options.output);
    const [{ loadSystems }, { functionsOf }, { createRouter }] = await Promise.all([
      import("../../systems/load.ts"),
      import("../../systems/declared.ts"),
      import("../../../shared/runner/router.ts"),
    ]);
    const { systems } = await loadSystems(options);
    const rows = [...createRouter(functionsOf(systems)).rows].sort(
      (a, b) => a.source.localeCompare(b.source) || a.function.localeCompare(b.function),
    );
    printAs(format, rows, () =>
      table(
        ["source", "on", "function", "to"],
        rows.map((row) => [row.source.replace(/^\//, "core/"), row.on, row.function, row.to]),
      ),
    );
  });
