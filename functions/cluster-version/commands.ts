import type { Command } from "commander";
import type {
  ClusterOptions,
  CommandTools,
  ConfigOption,
  OutputOption,
  StateOption,
  SystemCommands,
} from "../../shared/function/command.ts";
import { CliError, UsageError } from "../../shared/function/command-errors.ts";
import type { Plan } from "./commands/plan.ts";
import type { UpdateWish } from "./commands/request.ts";
import type { Wish } from "./commands/wait.ts";
import type { Want } from "./status/index.ts";

interface AskOptions extends ClusterOptions, OutputOption, StateOption {}
interface StatusOptions extends AskOptions {
  readonly silentAfter: number;
}
interface PlanOptions extends AskOptions, ConfigOption {
  readonly tasks?: true;
  readonly install?: true;
}
interface WaitOptions extends ClusterOptions, StateOption {
  readonly for: readonly string[];
  readonly timeout: number;
}

interface ChangeOptions extends ClusterOptions, StateOption {
  readonly dryRun?: true;
}
interface UpdateOptions extends ChangeOptions {
  readonly to?: string;
  readonly toImage?: string;
  readonly toLatest?: true;
  readonly clear?: true;
  readonly force?: true;
  readonly allowNotRecommended?: true;
  readonly allowExplicitUpgrade?: true;
}
interface ChannelOptions extends ChangeOptions {
  readonly allowExplicitChannel?: true;
}

const withDryRun = (command: Command): Command =>
  command.option("--dry-run", "print what would be written, and write nothing");

/** `reveille cluster-version`: the status board, the history, the plan, asking for another release, and waiting. */
export const commands: SystemCommands = (tools) => {
  const { withConfig, withExamples, withOutput } = tools;
  const asking = (name: string, description: string): Command =>
    tools.withCluster(tools.withState(tools.command(name, description)));
  const command = withExamples(
    tools.command(
      "cluster-version",
      "the release of a cluster: status of its operators, history, plan; ask for another one, wait until it is there",
    ),
    [
      ["How does it stand?", "reveille cluster-version status"],
      ["What would asking for an update write?", "reveille cluster-version update --to 1.1.0 --dry-run"],
      ["Wait until it is done at a version", "reveille cluster-version wait --for done --for version=1.1.0"],
      [
        "Wait for the control plane",
        "reveille cluster-version wait etcd kube-apiserver --for done --for version=1.1.0",
      ],
    ],
  );
  command.addCommand(
    withOutput(asking("status", "show the state of the cluster's version and its operators"))
      .addOption(
        tools.durationOption(
          "--silent-after <duration>",
          "the age of a heartbeat from which on its operator's words are doubted",
          "10m",
        ),
      )
      .action((options: StatusOptions) => status(tools, options)),
  );
  command.addCommand(
    withOutput(asking("history", "list the releases that were applied, newest first")).action(
      (options: AskOptions) => history(tools, options),
    ),
  );
  command.addCommand(
    withOutput(withConfig(asking("plan", "in which order a payload is applied, and how far that is")))
      .argument("[payload]", "a folder, an archive or an OCI layout (default: the cluster's own)")
      .option("--tasks", "a line for each object")
      .option("--install", "of a payload that is named: without the order of an update")
      .action((payload: string | undefined, options: PlanOptions) => plan(tools, payload, options)),
  );
  command.addCommand(
    withDryRun(asking("update", "ask for another release, or take a request back"))
      .option("--to <version>", "an update that is offered")
      .option("--to-image <image>", "the image of a release")
      .option("--to-latest", "the newest update that is recommended")
      .option("--clear", "take back what is asked for; an update under way goes back to the release before")
      .option("--force", "go past signature and preconditions")
      .option("--allow-not-recommended", "although risks of the update apply to this cluster")
      .option("--allow-explicit-upgrade", "an image that nobody offers")
      .action((options: UpdateOptions) => update(tools, options)),
  );
  command.addCommand(
    withDryRun(asking("channel", "choose the channel whose updates are offered"))
      .argument("<name>", 'one that the present release is in; "" takes it away')
      .option("--allow-explicit-channel", "one that the present release is not in")
      .action((name: string, options: ChannelOptions) => channel(tools, name, options)),
  );
  command.addCommand(
    asking("wait", "end when all that is asked for holds at the same moment")
      .argument("[operators...]", "of these ClusterOperators (default: of the ClusterVersion)")
      .requiredOption(
        "--for <want...>",
        "done, a condition (Available, Degraded=False), version=1.2.3 or version.OPERAND=3.5.0; all together",
      )
      .addOption(tools.durationOption("--timeout <duration>", "the time to wait", "30s"))
      .action((operators: string[], options: WaitOptions) => wait(tools, operators, options)),
  );
  return tools.withExamplesBelow(command, {
    status: [["How does it stand?", "reveille cluster-version status"]],
    history: [["For a script", "reveille cluster-version history -o json"]],
    plan: [
      ["What is applied now, and how far it is", "reveille cluster-version plan"],
      ["Of a payload, without a cluster", "reveille cluster-version plan ./payload --tasks"],
    ],
    update: [["What would it write?", "reveille cluster-version update --to 1.1.0 --dry-run"]],
    channel: [["Follow another channel", "reveille cluster-version channel stable"]],
    wait: [["Until it is done at a version", "reveille cluster-version wait --for done --for version=1.1.0"]],
  });
};

async function status(tools: CommandTools, options: StatusOptions): Promise<void> {
  const format = tools.outputFormat(options.output);
  const [
    { readHeartbeats, readOperators, readVersion, readWorkOf },
    { statusText },
    { operatorUpdates },
    board,
  ] = await Promise.all([
    import("./commands/read.ts"),
    import("./commands/status-text.ts"),
    import("./commands/update-state.ts"),
    import("./decide/board/index.ts"),
  ]);
  await tools.ask(options, async (client) => {
    const [found, operators] = await Promise.all([readVersion(client), readOperators(client)]);
    const now = Date.now();
    const [leases, work] = await Promise.all([
      readHeartbeats(client, operators),
      found === undefined ? undefined : readWorkOf(client, found),
    ]);
    const updates = found === undefined ? undefined : operatorUpdates(found, operators, work);
    const silent = board.silentOperators(operators, leases, options.silentAfter, new Date(now).toISOString());
    const lines = board.boardOf(operators, silent).map((line) => {
      const update = updates?.get(line.name);
      return update === undefined ? line : { ...line, update };
    });
    const told = { clusterVersion: found, operators: lines };
    tools.printAs(format, told, () => statusText(told, now));
  });
}

async function history(tools: CommandTools, options: AskOptions): Promise<void> {
  const format = tools.outputFormat(options.output);
  const [{ requireVersion }, { historyText }] = await Promise.all([
    import("./commands/read.ts"),
    import("./commands/status-text.ts"),
  ]);
  await tools.ask(options, async (client) => {
    const found = await requireVersion(client);
    tools.printAs(format, found.status?.history ?? [], () => historyText(found));
  });
}

async function plan(tools: CommandTools, path: string | undefined, options: PlanOptions): Promise<void> {
  const format = tools.outputFormat(options.output);
  const [{ payloadAt, payloadOf }, { planOf }, { planText }] = await Promise.all([
    import("./commands/payload.ts"),
    import("./commands/plan.ts"),
    import("./commands/plan-text.ts"),
  ]);
  const configuration = await tools.configurationOf(options);
  const show = (found: Plan): void =>
    tools.printAs(format, found, () => planText(found, options.tasks === true, Date.now()));
  const install = options.install === true ? "Initializing" : "Updating";
  if (path !== undefined) return show(planOf(await payloadAt(path, configuration), install, undefined));
  await tools.ask(options, async (client) => {
    const { payload, mode, work, cluster } = await payloadOf(client, configuration, Date.now());
    show(planOf(payload, mode, work, cluster));
  });
}

async function update(tools: CommandTools, options: UpdateOptions): Promise<void> {
  const wish = wishOf(options);
  const [{ change }, { updateOutcome }] = await Promise.all([
    import("./commands/change.ts"),
    import("./commands/request.ts"),
  ]);
  const allowed = {
    force: options.force === true,
    notRecommended: options.allowNotRecommended === true,
    explicit: options.allowExplicitUpgrade === true,
  };
  await tools.ask(options, (client) =>
    change(tools, client, (version) => updateOutcome(version, wish, allowed), options.dryRun === true),
  );
}

function wishOf({ to, toImage, toLatest, clear, force }: UpdateOptions): UpdateWish {
  const wishes: readonly UpdateWish[] = [
    ...(to === undefined ? [] : [{ to: "version", version: to } as const]),
    ...(toImage === undefined ? [] : [{ to: "image", image: toImage } as const]),
    ...(toLatest === true ? [{ to: "latest" } as const] : []),
    ...(clear === true ? [{ to: "nothing" } as const] : []),
  ];
  const [wish] = wishes;
  if (wish === undefined || wishes.length > 1 || to === "" || toImage === "")
    throw new UsageError("Say one of --to VERSION, --to-image IMAGE, --to-latest and --clear.");
  if (wish.to === "nothing" && force === true)
    throw new UsageError("--force is about a release: --clear asks for none.");
  return wish;
}

async function channel(tools: CommandTools, name: string, options: ChannelOptions): Promise<void> {
  const [{ change }, { channelOutcome }] = await Promise.all([
    import("./commands/change.ts"),
    import("./commands/request.ts"),
  ]);
  const explicit = options.allowExplicitChannel === true;
  await tools.ask(options, (client) =>
    change(tools, client, (version) => channelOutcome(version, name, explicit), options.dryRun === true),
  );
}

async function wait(tools: CommandTools, operators: readonly string[], options: WaitOptions): Promise<void> {
  const [{ parseWant }, { waitUntil }, { readOperators, readVersion }] = await Promise.all([
    import("./status/index.ts"),
    import("./commands/wait.ts"),
    import("./commands/read.ts"),
  ]);
  const wants = options.for.map((text): Want => {
    const want = parseWant(text);
    if (want === undefined)
      throw new UsageError(
        `--for ${text}: say done, Available, Degraded=False, version=1.2.3 or version.etcd=3.5.0.`,
      );
    return want;
  });
  const wishes: readonly Wish[] =
    operators.length === 0
      ? [{ kind: "ClusterVersion", name: "version", wants }]
      : operators.map((name) => ({ kind: "ClusterOperator", name, wants }));
  await tools.ask(options, async (client) => {
    // A cluster that does not answer, or knows no such kind, is told at once; a watch would try for ever.
    await (operators.length === 0 ? readVersion(client) : readOperators(client));
    const met = await waitUntil(client, wishes, {
      follow: tools.follow,
      limitMilliseconds: options.timeout,
      told: (lacks) => {
        for (const { name, missing } of lacks) tools.say(`${name}: ${missing.join("; ")}`);
      },
    });
    if (!met)
      throw new CliError(
        "CLI_WAIT_TIMEOUT",
        "It did not come to pass in time: what was missing last is told above, and --timeout gives more time.",
      );
    tools.print("All that was asked for holds.");
  });
}
