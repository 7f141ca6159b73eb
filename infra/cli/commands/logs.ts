import { Command } from "commander";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import type { ConfigOption, OutputOption, StateOption } from "../../../shared/function/command.ts";
import { UsageError } from "../../../shared/function/command-errors.ts";
import { withBusChoice, withExamples, withOutput } from "../options.ts";
import { outputFormat, print, yaml } from "../output.ts";

interface LogsOptions extends OutputOption, StateOption, ConfigOption {
  readonly follow?: true;
  readonly tail: string;
  readonly all?: true;
}

/** The pause before a followed history is asked for more. */
const FOLLOW_MILLISECONDS = 250;
const PAGE = 500;

/** `reveille logs [FUNCTION]`: the runs of the functions, from the history. */
export const logs = (): Command =>
  withExamples(
    withOutput(
      withBusChoice(
        new Command("logs")
          .description("print what the functions did")
          .argument("[function]", "of this function alone; `commands` for what was asked by commands")
          .option("-f, --follow", "go on printing what happens")
          .option("--tail <number>", "the number of past runs", "50")
          .option("--all", "also runs that found nothing to do"),
      ),
    ),
    [
      ["Follow one function", "reveille logs widget -f"],
      ["Everything as JSON lines", "reveille logs --all --tail 1000 -o json"],
    ],
  ).action(async (name: string | undefined, options: LogsOptions) => {
    const format = outputFormat(options.output);
    const tail = Number(options.tail);
    if (!/^\d+$/.test(options.tail) || !Number.isSafeInteger(tail))
      throw new UsageError(`--tail ${options.tail}: give a whole number of runs.`);
    const [{ withChosenBus }, { COMMANDS }, { isTelling, runLine }, { paintFor }, { setTimeout: sleep }] =
      await Promise.all([
        import("../chosen-bus.ts"),
        import("../../../shared/function/commands.ts"),
        import("../timeline/timeline.ts"),
        import("../style.ts"),
        import("node:timers/promises"),
      ]);
    const paint = paintFor(process.stdout);
    // A script that wants whole lines leaves it out, or takes JSON.
    const columns = Number(process.env.COLUMNS);
    const width = Number.isInteger(columns) && columns > 0 ? columns : undefined;
    const show = (run: RunRecord): void => {
      if (format === "json") print(JSON.stringify(run));
      else if (format === "yaml") print(`---\n${yaml(run)}`);
      else print(runLine(run, () => undefined, paint, width));
    };
    await withChosenBus(options, async (bus, { functions }) => {
      const known = [...functions.map((one) => one.name), COMMANDS];
      if (name !== undefined && !known.includes(name))
        throw new UsageError(`There is no function "${name}"; choose from ${known.join(", ")}.`);
      // Of a command nobody would say that it did nothing: somebody asked for it.
      const isShown = (run: RunRecord): boolean =>
        options.all === true || name === COMMANDS || isTelling(run);
      let last: RunRecord[] = [];
      let position = 0;
      for (;;) {
        const page = await bus.history.after(position, { function: name, limit: PAGE });
        position = page.position;
        last = [...last, ...page.runs.filter(isShown)].slice(-Math.max(tail, 1));
        if (page.runs.length < PAGE) break;
      }
      for (const run of tail === 0 ? [] : last.slice(-tail)) show(run);
      // Ended by Ctrl-C, or by the end of the pipe.
      while (options.follow === true) {
        const page = await bus.history.after(position, { function: name, limit: PAGE });
        position = page.position;
        for (const run of page.runs.filter(isShown)) show(run);
        if (page.runs.length < PAGE) await sleep(FOLLOW_MILLISECONDS);
      }
    });
  });
