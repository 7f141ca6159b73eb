import type { FunctionCounts } from "../../../shared/bus/contract.ts";
import { countsOf } from "../../../shared/bus/counts-of.ts";
import { isLocked } from "../dev/lock.ts";
import type { MonitorAnswer } from "../dev/monitor.ts";
import { withBus } from "../open-bus.ts";
import { type RunFile, stateDirectory } from "../state-directory.ts";
import { type HeldFound, heldIn, heldLines, listHeld } from "./held.ts";
import { pausedLines } from "./paused.ts";
import { awayLines, workTable } from "./work.ts";

/** The state of `dev` in a folder, running or ended. */
export interface DevStatus extends HeldFound {
  readonly run: RunFile;
  /** Undefined where no process holds the folder. */
  readonly live: MonitorAnswer | undefined;
  readonly counts: Readonly<Record<string, FunctionCounts>>;
}

/** Throws a `CliError` where `dev` never ran. */
export const devStatus = (data: string): Promise<DevStatus> =>
  withBus(data, async (bus, run) => ({
    run,
    counts: await countsOf(
      bus,
      run.functions.map(({ name }) => name),
    ),
    live: await askMonitor(data, run),
    ...(await heldIn(run)),
  }));

/** The same as data for scripts. */
export const devValue = (found: DevStatus) => ({
  running: found.live !== undefined,
  ...found,
  held: listHeld(found.held),
});

async function askMonitor(data: string, run: RunFile): Promise<MonitorAnswer | undefined> {
  if (run.monitor === undefined || !isLocked(stateDirectory(data))) return undefined;
  const answer = await fetch(`${run.monitor}/status`, { signal: AbortSignal.timeout(3_000) });
  return (await answer.json()) as MonitorAnswer;
}

/** The same for people. */
export function devText({ run, live, counts, held, paused, unreached }: DevStatus): string {
  const lines =
    live === undefined
      ? [`Not running; it ran last since ${run.startedAt} (pid ${run.pid})`]
      : [`Running since ${run.startedAt} (pid ${live.pid}), ${live.ready ? "ready" : "not ready"}`];
  lines.push(`API server: ${run.server} (${run.api}), cluster ${run.cluster}`);
  if (live !== undefined) lines.push(...watcherLines(live));
  lines.push(
    "",
    workTable(counts),
    ...awayLines(counts),
    ...pausedLines(paused, Date.now()),
    ...heldLines(held),
  );
  if (unreached !== undefined && live !== undefined)
    lines.push("", `The API server was not reached: ${unreached}`);
  return lines.join("\n");
}

/** The objects that are followed because somebody waits for them, and those for which a key has to look. */
function awaitedLines(awaited: MonitorAnswer["watcher"]["awaited"]): readonly string[] {
  if (awaited === undefined || awaited.objects === 0) return [];
  const kindOf = ({ group, kind }: { readonly group: string; readonly kind: string }): string =>
    group === "" ? kind : `${kind}.${group}`;
  const forbidden = awaited.streams.filter(({ state }) => state === "forbidden");
  return [
    `Waited for: ${awaited.objects} objects beyond the watch list, by ${awaited.streams.length} watches`,
    ...new Set(
      forbidden.map((one) => `  ${kindOf(one)}: the watcher may not list it, so who waits looks every 30 s`),
    ),
    ...awaited.absent.map(
      (one) =>
        `  ${kindOf(one)}: the API server does not know it${one.looks ? ", and is asked every 30 s" : ""}`,
    ),
  ];
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
    ...awaitedLines(watcher.awaited),
    `Memory: ${Math.round(residentMemory / 1024 / 1024)} MiB`,
  ];
}
