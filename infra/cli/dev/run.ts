import { systemClock } from "../../../shared/clock/clock.ts";
import { messageOf } from "../../../shared/errors.ts";
import { exitCodes, UsageError } from "../../../shared/function/command-errors.ts";
import type { Log } from "../../../shared/log/log.ts";
import { shortTime } from "../../../shared/text.ts";
import { functionsOf, kindsOf } from "../../systems/declared.ts";
import { createLoader, type Loaded, type Selection } from "../../systems/load.ts";
import { clusterKindsOf } from "../../systems/rbac.ts";
import { triesOf, withSampleConfiguration } from "../../systems/samples.ts";
import { createLog, type LogFormat } from "../log.ts";
import { print, say } from "../output.ts";
import { settingsOf } from "../settings.ts";
import { prepareDirectory, resetDirectory, stateDirectory } from "../state-directory.ts";
import { type Paint, paintFor } from "../style.ts";
import { type Rest, watchRest } from "../timeline/settled.ts";
import { tablesOf, tableText } from "../timeline/tables.ts";
import { type Counts, startTimeline, type Timeline } from "../timeline/timeline.ts";
import { unfollowed } from "../timeline/unfollowed.ts";
import type { ApiChoice } from "./api.ts";
import { askConsent } from "./consent.ts";
import { watchInterrupts } from "./interrupts.ts";
import { lockDirectory } from "./lock.ts";
import { startMonitor } from "./monitor.ts";
import { nextSteps } from "./next-steps.ts";
import { reloadOnSave } from "./reload.ts";
import { type Stack, startStack } from "./stack.ts";
import { tellUnheard } from "./unheard.ts";

export interface DevOptions {
  readonly api: ApiChoice;
  readonly data: string;
  /** A file of settings: of it the systems, their configuration and the modules count. */
  readonly config?: string | undefined;
  readonly systems?: string | undefined;
  readonly functions?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly reset: boolean;
  readonly once: boolean;
  readonly onceMilliseconds: number;
  readonly yes: boolean;
  readonly samples: boolean | "first";
  readonly simulate: boolean;
  readonly log: LogFormat;
}

/** The systems to run. On a cluster that is nobody else's that is all of them. */
const selectionOf = ({ systems, functions, api }: DevOptions): Selection => ({
  systems,
  functions,
  own: api.kind !== "kubeconfig",
  run: true,
});

/** Runs everything until it is interrupted, or with `once` until all has settled. Resolves with the exit code. */
export async function runDev(options: DevOptions): Promise<number> {
  const directory = stateDirectory(options.data);
  // Says at once which flag names what there is not.
  createLoader(selectionOf(options));
  prepareDirectory(directory);
  const release = lockDirectory(directory);
  try {
    if (options.reset) resetDirectory(directory);
    return await runLocked(options, directory.path);
  } finally {
    release();
  }
}

async function runLocked(options: DevOptions, directory: string): Promise<number> {
  const paint = paintFor(process.stdout);
  const log = createLog(options.log, paintFor(process.stderr));
  const tell = options.log === "json" ? undefined : print;
  const interrupts = watchInterrupts(() =>
    tell?.("\nEnding: what runs may finish (Ctrl-C once more ends at once)"),
  );
  const hear = tellUnheard(log);
  let timeline: Timeline | undefined;
  let stack: Stack | undefined;
  try {
    let loader = createLoader(selectionOf(options));
    const { settings, loaded } = await settingsOf(options, (selection) => {
      loader = createLoader(selectionOf({ ...options, ...selection }));
      return loader.load();
    });
    refuseNothing(options, loaded);
    warnOfClusterKinds(options, loaded);
    stack = await startStack({
      api: options.api,
      directory,
      systems: loaded.systems,
      modules: loaded.modules,
      sources: loaded.sources,
      configuration:
        options.samples === false
          ? settings.configuration
          : withSampleConfiguration(
              loaded.systems.map(({ name }) => name),
              settings.configuration,
            ),
      samples: options.samples,
      simulate: options.simulate,
      namespaces: options.namespace === undefined ? undefined : [options.namespace],
      log,
      consent:
        options.api.kind === "kubeconfig"
          ? (api) =>
              askConsent(api, loaded.systems, {
                yes: options.yes,
                configuration: settings.configuration,
                namespace: options.namespace,
                clock: systemClock,
                signal: interrupts.signal,
              })
          : undefined,
      onBus: (bus) => {
        timeline = startTimeline({
          bus,
          paint,
          write: tell,
          log: options.log === "json" ? log.child({ part: "timeline" }) : undefined,
        });
      },
    });
    return await follow(stack, options, {
      loader,
      loaded,
      log,
      paint,
      tell,
      timeline,
      signal: interrupts.signal,
    });
  } catch (thrown) {
    if (interrupts.signal.aborted && thrown === interrupts.signal.reason)
      return options.once ? exitCodes.interrupted : exitCodes.done;
    throw thrown;
  } finally {
    timeline?.stop();
    await stack?.stop();
    hear();
    interrupts.stop();
  }
}

interface Following {
  readonly loader: ReturnType<typeof createLoader>;
  readonly loaded: Loaded;
  readonly log: Log;
  readonly paint: Paint;
  readonly tell: ((text: string) => void) | undefined;
  readonly timeline: Timeline | undefined;
  readonly signal: AbortSignal;
}

async function follow(stack: Stack, options: DevOptions, following: Following): Promise<number> {
  const { loader, loaded, log, paint, tell, timeline, signal } = following;
  const monitor = await startMonitor(stack);
  const rest = watchRest(stack, systemClock);
  stack.monitoredAt(monitor.url);
  tell?.(readyText(stack, paint));
  const unasked = stack.api.kind === "kubeconfig" ? admissionsOf(stack.systems) : [];
  if (unasked.length > 0 && options.log !== "json")
    say(
      `warning: ${unasked.join(", ")} ${unasked.length === 1 ? "is" : "are"} not asked: this cluster cannot reach this process. Install them with the chart, or use the local API or --real.`,
    );
  for (const reason of unfollowed(stack.watcher.position(), stack.systems))
    if (options.log !== "json") say(`warning: ${reason}`);
  log.info(
    {
      server: stack.api.server,
      kubeconfig: stack.api.kubeconfig,
      cluster: stack.cluster,
      milliseconds: stack.readyMilliseconds,
    },
    "ready",
  );
  const reload = reloadOnSave({
    stack,
    loader,
    loaded,
    told: (functions) => {
      tell?.(paint("green", `Reloaded ${functions.join(", ")}: all their objects are reconciled again`));
      log.info({ functions }, "reloaded");
    },
    failed: (message) => {
      if (options.log === "json") log.error({ error: message }, "the functions were not reloaded");
      else say(`error: ${message} The functions stay as they were.`);
    },
  });
  try {
    const applied = await stack.applySamples();
    if (applied.length > 0) tell?.(paint("dim", `Applied the samples of ${applied.join(", ")}`));
    return await untilEnd(stack, rest, options, { log, paint, tell, timeline, signal });
  } finally {
    reload.stop();
    rest.stop();
    await monitor.stop();
  }
}

async function untilEnd(
  stack: Stack,
  rest: Rest,
  options: DevOptions,
  { log, paint, tell, timeline, signal }: Omit<Following, "loader" | "loaded">,
): Promise<number> {
  for (let first = true; ; first = false) {
    const end = await rest.settled({
      clock: systemClock,
      signal,
      limitMilliseconds: options.once ? options.onceMilliseconds : undefined,
    });
    const counts = timeline?.take() ?? { runs: 0, writes: 0, quiet: 0 };
    log.info({ ...counts, ...end, residentMemory: process.memoryUsage.rss() }, "settled");
    if (options.once || counts.writes > 0 || (first && counts.runs > 0))
      tell?.(paint("dim", settledText(end.settled, counts)));
    if (first && tell !== undefined) await tellState(stack, options, { paint, tell });
    for (const reason of end.reasons)
      if (options.log !== "json") say(`${end.settled ? "failed" : "not settled"}: ${reason}`);
    if (options.once) return end.settled && end.reasons.length === 0 ? exitCodes.done : exitCodes.failed;
    if (first)
      tell?.(
        paint(
          "dim",
          "\nIt stays up and tells what happens. Ctrl-C ends it; the next start goes on from here.",
        ),
      );
    await rest.moved(signal);
  }
}

const some = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function settledText(settled: boolean, { runs, writes, quiet }: Counts): string {
  const nothing = quiet === 0 ? "" : `; ${quiet} of the runs found nothing to do`;
  return `${settled ? "Settled" : "Not settled"} after ${some(runs, "run")} and ${some(writes, "write")}${nothing}`;
}

/** The final state as tables, then what to type. What cannot be shown is no reason to end. */
async function tellState(
  stack: Stack,
  options: DevOptions,
  { paint, tell }: { readonly paint: Paint; readonly tell: (text: string) => void },
): Promise<void> {
  try {
    const functions = functionsOf(stack.systems);
    const kinds = kindsOf(functions);
    const tables = await tablesOf(stack.api.client, kinds);
    for (const one of tables) {
      const [title = "", ...lines] = tableText(one).split("\n");
      tell(`\n${paint("bold", title)}\n${lines.join("\n")}`);
    }
    const tries = options.samples === false ? [] : stack.systems.flatMap(({ name }) => triesOf(name));
    const steps = { data: options.data, paint, tries, functions };
    if (!options.once) tell(`\n${nextSteps(stack.api, tables, kinds, steps)}`);
  } catch (thrown) {
    say(`warning: the state cannot be shown: ${messageOf(thrown)}`);
  }
}

const admissionsOf = (systems: Stack["systems"]): readonly string[] =>
  systems.flatMap(({ admissions, hooks }) => [...admissions, ...hooks].map(({ name }) => name));

function readyText(stack: Stack, paint: Paint): string {
  const functions = functionsOf(stack.systems).map(({ name }) => name);
  const { api } = stack;
  const kubeconfig = api.kind === "kubeconfig" ? "" : `, kubeconfig ${api.kubeconfig}`;
  return `${paint("green", "Ready")} after ${shortTime(stack.readyMilliseconds)}: ${api.server}${kubeconfig}\nFunctions: ${functions.join(", ") || "none"}\n\n`;
}

function refuseNothing(options: DevOptions, { systems }: Loaded): void {
  if (systems.length > 0 || options.systems === "none") return;
  throw new UsageError("There is no function to run: name a module with --functions.");
}

function warnOfClusterKinds(options: DevOptions, { systems }: Loaded): void {
  if (options.namespace === undefined) return;
  for (const declaration of functionsOf(systems)) {
    const kinds = clusterKindsOf(declaration);
    if (kinds.length > 0)
      say(
        `warning: ${declaration.name} needs the cluster: ${kinds.join(", ")} has no namespace. It watches that everywhere, the rest in ${options.namespace}.`,
      );
  }
}
