import { Command, InvalidArgumentError } from "commander";
import type { Want } from "../../../shared/status/index.ts";
import type { Plan } from "../cluster-version/plan.ts";
import type { Wish } from "../cluster-version/wait.ts";
import { CliError, UsageError } from "../exit.ts";
import {
  type ClusterOptions,
  type ConfigOption,
  type OutputOption,
  type StateOption,
  withCluster,
  withConfig,
  withExamples,
  withOutput,
  withState,
} from "../options.ts";
import { outputFormat, print, printAs, say } from "../output.ts";

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

const asking = (name: string, description: string): Command =>
  withCluster(withState(new Command(name).description(description)));

/** `reveille cluster-version`: the status board, the history, the plan, and waiting. */
export function clusterVersion(): Command {
  const command = withExamples(
    new Command("cluster-version").description(
      "the release of a cluster: status of its operators, history, plan; wait until it is there",
    ),
    [
      ["How does it stand?", "reveille cluster-version status"],
      ["Wait until it is done at a version", "reveille cluster-version wait --for done --for version=1.1.0"],
      [
        "Wait for the control plane",
        "reveille cluster-version wait etcd kube-apiserver --for done --for version=1.1.0",
      ],
    ],
  );
  command.addCommand(
    withOutput(asking("status", "how the cluster's version and its operators stand"))
      .option(
        "--silent-after <duration>",
        "how old an operator's heartbeat may be before what it says is doubted",
        duration,
        600_000,
      )
      .action(status),
  );
  command.addCommand(
    withOutput(asking("history", "which releases were applied, newest first")).action(history),
  );
  command.addCommand(
    withOutput(withConfig(asking("plan", "in which order a payload is applied, and how far that is")))
      .argument("[payload]", "a folder, an archive or an OCI layout (default: the cluster's own)")
      .option("--tasks", "a line for each object")
      .option("--install", "of a payload that is named: without the order of an update")
      .action(plan),
  );
  command.addCommand(
    asking("wait", "end when all that is asked for holds at the same moment")
      .argument("[operators...]", "of these ClusterOperators (default: of the ClusterVersion)")
      .requiredOption(
        "--for <want...>",
        "done, a condition (Available, Degraded=False), version=1.2.3 or version.OPERAND=3.5.0; all together",
      )
      .option("--timeout <duration>", "how long to wait", duration, 30_000)
      .action(wait),
  );
  return command;
}

async function status(options: StatusOptions): Promise<void> {
  const format = outputFormat(options.output);
  const [{ withCluster: ask }, { readHeartbeats, readOperators, readVersion }, { statusText }, board] =
    await Promise.all([
      import("../cluster-version/target.ts"),
      import("../cluster-version/read.ts"),
      import("../cluster-version/status-text.ts"),
      import("../../../functions/cluster-version/board/index.ts"),
    ]);
  await ask(options, async (client) => {
    const [found, operators] = await Promise.all([readVersion(client), readOperators(client)]);
    const now = Date.now();
    const leases = await readHeartbeats(client, operators);
    const silent = board.silentOperators(operators, leases, options.silentAfter, new Date(now).toISOString());
    const told = { clusterVersion: found, operators: board.boardOf(operators, silent) };
    printAs(format, told, () => statusText(told, now));
  });
}

async function history(options: AskOptions): Promise<void> {
  const format = outputFormat(options.output);
  const [{ withCluster: ask }, { requireVersion }, { historyText }] = await Promise.all([
    import("../cluster-version/target.ts"),
    import("../cluster-version/read.ts"),
    import("../cluster-version/status-text.ts"),
  ]);
  await ask(options, async (client) => {
    const found = await requireVersion(client);
    printAs(format, found.status?.history ?? [], () => historyText(found));
  });
}

async function plan(path: string | undefined, options: PlanOptions): Promise<void> {
  const format = outputFormat(options.output);
  const [{ withCluster: ask }, { configurationOf }, { payloadAt, payloadOf }, { planOf }, { planText }] =
    await Promise.all([
      import("../cluster-version/target.ts"),
      import("../cluster-version/configured.ts"),
      import("../cluster-version/payload.ts"),
      import("../cluster-version/plan.ts"),
      import("../cluster-version/plan-text.ts"),
    ]);
  const configuration = await configurationOf(options);
  const show = (found: Plan): void =>
    printAs(format, found, () => planText(found, options.tasks === true, Date.now()));
  const install = options.install === true ? "Initializing" : "Updating";
  if (path !== undefined) return show(planOf(await payloadAt(path, configuration), install, undefined));
  await ask(options, async (client) => {
    const { payload, mode, work } = await payloadOf(client, configuration);
    show(planOf(payload, mode, work));
  });
}

async function wait(operators: readonly string[], options: WaitOptions): Promise<void> {
  const [{ parseWant }, { withCluster: ask }, { waitUntil }, { readOperators, readVersion }] =
    await Promise.all([
      import("../../../shared/status/index.ts"),
      import("../cluster-version/target.ts"),
      import("../cluster-version/wait.ts"),
      import("../cluster-version/read.ts"),
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
  await ask(options, async (client) => {
    // A cluster that does not answer, or knows no such kind, is told at once; a watch would try for ever.
    await (operators.length === 0 ? readVersion(client) : readOperators(client));
    const met = await waitUntil(client, wishes, {
      limitMilliseconds: options.timeout,
      told: (lacks) => {
        for (const { name, missing } of lacks) say(`${name}: ${missing.join("; ")}`);
      },
    });
    if (!met)
      throw new CliError(
        "CLI_WAIT_TIMEOUT",
        "It did not come to pass in time: what was missing last is told above, and --timeout gives more time.",
      );
    print("All that was asked for holds.");
  });
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** `90s`, `30m`, in milliseconds. */
function duration(text: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) throw new InvalidArgumentError("Write 30s, 10m or 2h.");
  return Number(amount) * factor;
}
