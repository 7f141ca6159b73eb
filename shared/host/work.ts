import type { Bus, Work } from "../bus/contract.ts";
import type { Clock } from "../clock/clock.ts";
import { timeOf } from "../clock/time.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { TerminalError } from "../function/terminal-error.ts";
import type { Hints } from "../hints/hints.ts";
import type { OwnWrites } from "../hints/own-writes.ts";
import type { Untold } from "../hints/untold.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import type { Others } from "../runner/clients.ts";
import type { LentPlaces } from "../runner/lent-places.ts";
import { createRunner } from "../runner/runner.ts";
import { type PausedFunctions, pausedFunctions, withCommands } from "./commands/index.ts";
import { type ConfiguredFunction, runsWith } from "./configuration.ts";
import { wokenByWhatWasLeftOut } from "./left-out.ts";
import type { Reach } from "./reach.ts";
import { WrittenHere } from "./written-here.ts";

export interface HostWorkParts {
  /** Every function with its parsed configuration, as `configuredFunctions` gives them. */
  readonly functions: ReadonlyMap<FunctionDeclaration, ConfiguredFunction>;
  /** All functions of the installation, where some are not known here. Default: `functions`. */
  readonly all?: readonly FunctionDeclaration[] | undefined;
  readonly client: KubeClient;
  /** The other clusters of this process. Absent: nothing here reaches any. */
  readonly others?: Others | undefined;
  /** The places of runs that wait for one of these. Absent: nobody runs in them meanwhile. */
  readonly lent?: LentPlaces | undefined;
  /** The cluster's name, as keys carry it. */
  readonly cluster: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** The objects that this process has just seen. Absent: none, so that every run reads. */
  readonly hints?: Hints | undefined;
  /** The memory that it shares with the watcher in this process: own writes, and what was left out. Absent: it leaves nothing out. */
  readonly beside?: { readonly own: Pick<OwnWrites, "run">; readonly untold: Untold } | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly nets?: boolean | undefined;
  /** The signature of the code that runs here, by function; during a rolling upgrade an item for another one goes back. */
  readonly signatures?: Readonly<Record<string, string>> | undefined;
  /** The time after which a run is cut off. Default: 5 minutes. */
  readonly limitMilliseconds?: number | undefined;
  /** The connections that the functions need. Default: all are there, so that every failure counts as an attempt. */
  readonly reach?: Reach | undefined;
  /** The namespace of the installation, for the pauses. Default: `reveille-system`. */
  readonly home?: string | undefined;
  /** Default: those that the ConfigMap `reveille-paused` there names. */
  readonly paused?: PausedFunctions | undefined;
}

/** The work of a host with an item, on any bus: it runs the function, unless it is paused, or carries out the command. */
export function hostWork(parts: HostWorkParts): Work {
  const { bus, client, clock, log, cluster, hints, reach } = parts;
  const functions = [...parts.functions.keys()];
  const written = new WrittenHere();
  const runner = createRunner({
    functions,
    all: parts.all,
    client,
    others: parts.others,
    lent: parts.lent,
    cluster,
    clock,
    log,
    ...runsWith(parts.functions),
    hints,
    ownWrites: parts.beside?.own,
    // Where all runs are here, nobody else wrote it: the history would say no more.
    wroteThis: async (version) =>
      written.has(version) ||
      (parts.beside === undefined && (await bus.history.ofWrite(version)) !== undefined),
    emit: (type, id, payload) => emit(parts, type, id, payload),
    namespaces: parts.namespaces,
    nets: parts.nets,
    limitMilliseconds: parts.limitMilliseconds,
    signatures: parts.signatures,
    away: reach && ((name) => reach.check(name)),
  });
  const paused = parts.paused ?? pausedFunctions({ client, namespace: parts.home, clock, log });
  const run = written.by(runner);
  const work = parts.beside === undefined ? run : wokenByWhatWasLeftOut(run, parts.beside.untold);
  return withCommands(work, { functions, client, cluster, bus, paused, clock, log, reach });
}

async function emit(
  { bus, cluster, clock }: HostWorkParts,
  type: string,
  id: string,
  payload: unknown,
): Promise<void> {
  const { refused } = await bus.publish([
    {
      specversion: "1.0",
      id,
      type,
      source: `/clusters/${cluster}`,
      time: timeOf(clock.now()),
      datacontenttype: "application/json",
      data: payload,
    },
  ]);
  const [fault] = refused;
  if (fault !== undefined)
    throw new TerminalError(`The event ${type} was refused: ${fault.issues.join("; ")}.`, {
      code: "EVENT_REFUSED",
    });
}
