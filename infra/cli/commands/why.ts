import { Command } from "commander";
import { messageOf } from "../../../shared/errors.ts";
import type { ConfigOption, OutputOption, StateOption } from "../../../shared/function/command.ts";
import type { PausedFunction } from "../../../shared/host/commands/index.ts";
import type { Installation } from "../chosen-bus.ts";
import { withBusChoice, withExamples, withOutput } from "../options.ts";
import { outputFormat, printAs, say } from "../output.ts";
import type { Explanation } from "../why/chain.ts";
import type { LiveObjects } from "../why/live.ts";

interface WhyOptions extends OutputOption, StateOption, ConfigOption {
  readonly namespace?: string;
}

/** `reveille why KIND/NAME`: from the causing edit to the present status, or to what it waits for. */
export const why = (): Command =>
  withExamples(
    withOutput(
      withBusChoice(
        new Command("why")
          .description("tell why an object is as it is: from the edit that caused it to its present status")
          .argument("<kind/name>", "the object, for example Deployment/web")
          .option(
            "-n, --namespace <name>",
            "its namespace (default: where the history knows one of this name)",
          ),
      ),
    ),
    [
      ["What made this object ready, or what does it wait for?", "reveille why widget/one -n team-a"],
      ["Who made this Deployment?", "reveille why deployment/data-index -n hub"],
    ],
  ).action(async (object: string, options: WhyOptions) => {
    const format = outputFormat(options.output);
    const [
      { withChosenBus },
      { explain },
      { resolveSubject },
      { explanationText },
      { paintFor },
      { withAuthors, withPauses },
    ] = await Promise.all([
      import("../chosen-bus.ts"),
      import("../why/chain.ts"),
      import("../why/resolve.ts"),
      import("../why/text.ts"),
      import("../style.ts"),
      import("../why/live.ts"),
    ]);
    await withChosenBus(options, async (bus, run) => {
      const subject = await resolveSubject(object, options.namespace, run.kinds, bus.history);
      const told = await explain(bus, subject);
      const { objects: live, paused } = await asServed(run, told);
      const present = live.get(subject);
      const explanation = {
        ...told,
        steps: withAuthors(told.steps, live),
        keys: withPauses(told.keys, present, paused),
      };
      printAs(format, { ...explanation, status: present?.status }, () =>
        explanationText(explanation, present, paintFor(process.stdout), Date.now()),
      );
    });
  });

/** The history alone tells the chain; where the API server answers, it adds who edited, who paused, and the status. */
async function asServed(
  run: Installation,
  explanation: Explanation,
): Promise<{ readonly objects: LiveObjects; readonly paused: readonly PausedFunction[] }> {
  const [{ openCluster }, { readLive }, { pausedFunctionsIn }] = await Promise.all([
    import("../cluster.ts"),
    import("../why/live.ts"),
    import("../status/paused.ts"),
  ]);
  try {
    const { client } = openCluster({ kubeconfig: run.kubeconfig, context: run.context });
    try {
      const [objects, paused = []] = await Promise.all([
        readLive(client, explanation, run.kinds),
        pausedFunctionsIn(client, run.home),
      ]);
      return { objects, paused };
    } finally {
      client.close();
    }
  } catch (thrown) {
    say(`note: the API server was not asked (${messageOf(thrown)}); this is what the history tells.`);
    return { objects: new Map(), paused: [] };
  }
}
