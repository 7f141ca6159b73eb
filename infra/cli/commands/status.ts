import { Command } from "commander";
import type { FunctionCounts } from "../../../shared/bus/contract.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { MonitorAnswer } from "../dev/monitor.ts";
import type { Held } from "../install/left-behind.ts";
import { type OutputOption, type StateOption, withExamples, withOutput, withState } from "../options.ts";
import { outputFormat, printAs, shortTime, table } from "../output.ts";
import type { RunFile } from "../state-directory.ts";

interface Status {
  readonly run: RunFile;
  /** Undefined where no process holds the folder. */
  readonly live: MonitorAnswer | undefined;
  readonly counts: Readonly<Record<string, FunctionCounts>>;
  /** Objects whose deletion nobody would end; undefined where the API server was not reached. */
  readonly held: readonly Held[] | undefined;
  readonly unreached: string | undefined;
}

const nothing: FunctionCounts = {
  waiting: 0,
  running: 0,
  retrying: 0,
  dead: 0,
  parked: 0,
  deadlines: 0,
  oldest: 0,
};

/** `reveille status`: leader, lag, and the work of each function. */
export const status = (): Command =>
  withExamples(
    withOutput(
      withState(new Command("status").description("print what waits, runs, is tried again or failed")),
    ),
    [["For a script", "reveille status -o json | jq .counts"]],
  ).action(async (options: OutputOption & StateOption) => {
    const format = outputFormat(options.output);
    const { withBus } = await import("../open-bus.ts");
    const found = await withBus(options.data, async (bus, run): Promise<Status> => {
      // A function that has nothing to do has no line of its own in the bus.
      const idle = Object.fromEntries(run.functions.map(({ name }) => [name, nothing]));
      const counts = { ...idle, ...(await bus.counts()) };
      return { run, counts, live: await askMonitor(options.data, run), ...(await heldOf(run)) };
    });
    const value = {
      running: found.live !== undefined,
      ...found,
      held: found.held?.map(({ object, finalizers }) => ({
        kind: object.kind,
        namespace: object.metadata.namespace,
        name: object.metadata.name,
        finalizers,
      })),
    };
    printAs(format, value, () => statusText(found));
  });

async function askMonitor(data: string, run: RunFile): Promise<MonitorAnswer | undefined> {
  const [{ isLocked }, { stateDirectory }] = await Promise.all([
    import("../lock.ts"),
    import("../state-directory.ts"),
  ]);
  if (run.monitor === undefined || !isLocked(stateDirectory(data))) return undefined;
  const answer = await fetch(`${run.monitor}/status`, { signal: AbortSignal.timeout(3_000) });
  return (await answer.json()) as MonitorAnswer;
}

async function heldOf(run: RunFile): Promise<Pick<Status, "held" | "unreached">> {
  const [{ openCluster }, { heldObjects }] = await Promise.all([
    import("../cluster.ts"),
    import("../install/left-behind.ts"),
  ]);
  try {
    const { client } = openCluster({ kubeconfig: run.kubeconfig, context: run.context });
    try {
      return {
        held: await heldObjects(client, run.kinds, run.functions, run.functions),
        unreached: undefined,
      };
    } finally {
      client.close();
    }
  } catch (thrown) {
    return { held: undefined, unreached: messageOf(thrown) };
  }
}

function statusText({ run, live, counts, held, unreached }: Status): string {
  const lines =
    live === undefined
      ? [`Not running; it ran last since ${run.startedAt} (pid ${run.pid})`]
      : [`Running since ${run.startedAt} (pid ${live.pid}), ${live.ready ? "ready" : "not ready"}`];
  lines.push(`API server: ${run.server} (${run.api}), cluster ${run.cluster}`);
  if (live !== undefined) lines.push(...watcherLines(live));
  lines.push("");
  lines.push(
    table(
      ["function", "waiting", "running", "retrying", "dead", "parked", "deadlines", "lag"],
      Object.entries(counts).map(([name, one]) => {
        return [
          name === "-" ? "(refused events)" : name,
          one.waiting,
          one.running,
          one.retrying,
          one.dead,
          one.parked,
          one.deadlines,
          one.waiting === 0 ? "-" : shortTime(one.oldest),
        ];
      }),
    ),
  );
  if (held !== undefined && held.length > 0) {
    lines.push("", "Finalizers that nobody serves (`reveille uninstall` releases them):");
    for (const { object, finalizers } of held)
      lines.push(
        `  ${finalizers.join(", ")} on ${object.kind} ${object.metadata.namespace ?? ""}/${object.metadata.name}`,
      );
  }
  if (unreached !== undefined && live !== undefined)
    lines.push("", `The API server was not reached: ${unreached}`);
  return lines.join("\n");
}

function watcherLines({ watcher, residentMemory }: MonitorAnswer): readonly string[] {
  const following = watcher.streams.filter(({ state }) => state.name === "streaming").length;
  const leader = watcher.leader
    ? "leads"
    : `stands by${watcher.holder === undefined ? "" : ` for ${watcher.holder}`}`;
  const lag = watcher.dirty === 0 ? "everything is published" : `${watcher.dirty} keys are not yet published`;
  return [
    `Watcher: ${leader}, follows ${following} of ${watcher.streams.length} kinds, ${lag}`,
    ...watcher.streams
      .filter(({ state }) => state.name !== "streaming")
      .map(({ kind, group, state }) => `  ${kind}${group === "" ? "" : `.${group}`}: ${state.name}`),
    `Memory: ${Math.round(residentMemory / 1024 / 1024)} MiB`,
  ];
}
