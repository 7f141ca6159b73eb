import type { Command } from "commander";
import { askIn, asking } from "../../../shared/function/asking.ts";
import type { CommandTools, OutputOption } from "../../../shared/function/command.ts";
import { type InstanceOptions, type WaitOptions, withInstance, withWait } from "./options.ts";
import { historyTree, lastPlan, planTree } from "./plan-text.ts";
import { type AnInstance, findInstance, requireInstance, versionOf } from "./read.ts";
import { followed, writeLock } from "./write-commands.ts";

interface StatusOptions extends InstanceOptions, WaitOptions, OutputOption {}
interface TriggerOptions extends InstanceOptions, WaitOptions {
  readonly name: string;
  readonly force?: true;
}

/** `plan`: how an Instance's plans stand, and which one is to run. */
export function planCommands(tools: CommandTools): Command {
  const about = (name: string, description: string): Command =>
    withInstance(asking(tools, name, description));
  const plan = tools.command("plan", "the plans of an Instance: how they stand, start one, give one up");
  plan.addCommand(
    tools
      .withOutput(withWait(about("status", "show the plans of an Instance as a tree")))
      .action((options: StatusOptions) => status(tools, options)),
  );
  plan.addCommand(
    tools
      .withOutput(about("history", "show the last run of each plan"))
      .action((options: InstanceOptions & OutputOption) => history(tools, options)),
  );
  plan.addCommand(
    withWait(about("trigger", "start a plan, or start it anew"))
      .requiredOption("--name <plan>", "the plan")
      .option("--force", "give up whatever plan runs, but cleanup")
      .action((options: TriggerOptions) =>
        writeLock(tools, options, { name: options.name, force: options.force === true }),
      ),
  );
  plan.addCommand(
    about("cancel", "give up the plan that runs, but cleanup").action((options: InstanceOptions) =>
      writeLock(tools, options, { name: "", force: true }),
    ),
  );
  return tools.withExamplesBelow(plan, {
    status: [["Follow the plan that runs", "reveille kudo plan status --instance web --wait"]],
    history: [["When did each plan run last?", "reveille kudo plan history --instance web"]],
    trigger: [["Make a backup now", "reveille kudo plan trigger --name backup --instance web --wait"]],
    cancel: [["A plan that never ends", "reveille kudo plan cancel --instance web"]],
  });
}

async function status(tools: CommandTools, given: StatusOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  await askIn(tools, given, async (client, options) => {
    const place = { namespace: options.namespace, name: options.instance };
    const found = await requireInstance(client, place);
    const version = await versionOf(client, found);
    const show = (instance: AnInstance): void =>
      tools.printAs(format, statusOf(instance), () => `${planTree(instance, version)}\n`);
    const uid = found.spec?.planExecution?.uid || found.status?.aggregatedStatus?.activePlanUID || "";
    if (options.wait !== true || uid === "") return show(found);
    const run = { wanted: { by: "uid", uid }, version } as const;
    if (format === undefined) return followed(tools, client, place, run, options);
    // The tree is for people: whoever asks for data gets it once, as it is at the end.
    const silent = { ...tools, print: () => undefined };
    try {
      await followed(silent, client, place, run, options);
    } finally {
      const last = await findInstance(client, place);
      if (last !== undefined) show(last);
    }
  });
}

const statusOf = (instance: AnInstance) => ({
  instance: instance.metadata.name,
  namespace: instance.metadata.namespace,
  operatorVersion: instance.spec?.operatorVersion?.name,
  activePlan: lastPlan(instance)?.name,
  aggregatedStatus: instance.status?.aggregatedStatus,
  conditions: instance.status?.conditions,
  planStatus: instance.status?.planStatus ?? {},
});

async function history(tools: CommandTools, given: InstanceOptions & OutputOption): Promise<void> {
  const format = tools.outputFormat(given.output);
  await askIn(tools, given, async (client, options) => {
    const instance = await requireInstance(client, { namespace: options.namespace, name: options.instance });
    tools.printAs(format, instance.status?.planStatus ?? {}, () => `${historyTree(instance)}\n`);
  });
}
