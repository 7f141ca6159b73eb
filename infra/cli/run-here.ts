import { systemClock } from "../../shared/clock/clock.ts";
import { CliError, exitCodes } from "../../shared/function/command-errors.ts";
import type { RunHere, RunHereOptions, RunningHere } from "../../shared/function/running-here.ts";
import type { System } from "../../shared/function/system.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { silent } from "../../shared/log/log.ts";
import { type EmbeddedEngine, startEmbeddedEngine } from "../engine/index.ts";
import { functionsOf, ownKindsOf } from "../systems/declared.ts";
import { loadSystems } from "../systems/load.ts";
import { version } from "../systems/package.ts";
import { watcherLease } from "../systems/rbac.ts";
import { clusterName } from "../watcher/index.ts";
import { leaderOf } from "../watcher/lease.ts";
import { openCluster } from "./cluster.ts";
import { ask } from "./dev/consent.ts";
import { watchInterrupts } from "./dev/interrupts.ts";
import { isFollowing } from "./dev/stack.ts";
import { applyCrds, planCrds } from "./install/crds.ts";
import { refusePredecessors } from "./install/predecessors.ts";
import { say } from "./output.ts";
import { settingsOf } from "./settings.ts";
import { watchRest } from "./timeline/settled.ts";

/** Nothing is played here, so nothing happens that neither bus nor watcher hears of; a change is seen in far less. */
const QUIET_MILLISECONDS = 500;
const INTERRUPTED = "What ran was ended whole. The same command goes on from there.";

/** Runs functions of a system in this process until a command has seen enough. */
export const runHereFor =
  (name: string): RunHere =>
  async (options, follow) => {
    const { settings, loaded } = await settingsOf({ config: options.config, systems: name }, (selection) =>
      loadSystems({ ...selection, systems: name, run: true }),
    );
    const systems = loaded.systems.map((system) => only(system, options.functions));
    const configuration = {
      ...settings.configuration,
      [name]: options.configured(settings.configuration[name] ?? {}),
    };
    const interrupts = watchInterrupts(() =>
      say("Ending: what runs may finish (Ctrl-C once more ends at once)"),
    );
    const { signal } = interrupts;
    const { client, connection } = openCluster(options);
    try {
      await options.before(client);
      await refuseOthers(client, systems);
      await installKinds(client, systems, options, signal);
      await options.prepare(client);
      signal.throwIfAborted();
      const engine = await startEmbeddedEngine({
        client,
        cluster: await clusterName(client, connection.cluster),
        systems,
        configuration,
        clock: systemClock,
        log: silent,
        code: { version, sources: loaded.sources },
        lease: watcherLease,
      });
      try {
        await isFollowing(engine, systemClock);
        return await followed({ client, engine, systems, signal }, follow);
      } finally {
        await engine.stop();
      }
    } catch (thrown) {
      if (signal.aborted && thrown === signal.reason)
        throw new CliError("CLI_INTERRUPTED", INTERRUPTED, { exitCode: exitCodes.interrupted });
      throw thrown;
    } finally {
      client.close();
      interrupts.stop();
    }
  };

const only = (system: System, names: readonly string[]): System => ({
  ...system,
  functions: system.functions.filter(({ name }) => names.includes(name)),
});

/** Two that look after one cluster would run one key at once, or fight over every object. */
async function refuseOthers(client: KubeClient, systems: readonly System[]): Promise<void> {
  await refusePredecessors(client, systems, undefined);
  const leader = await leaderOf(client, watcherLease, systemClock.now());
  if (leader === undefined || leader.ended) return;
  throw new CliError(
    "CLI_ANOTHER_REVEILLE",
    `Another Reveille looks after this cluster (${leader.holder}, seen at ${leader.renewTime}): stop it first, or give it the objects with kubectl. One that was killed counts for some seconds more.`,
  );
}

async function installKinds(
  client: KubeClient,
  systems: readonly System[],
  { yes }: RunHereOptions,
  signal: AbortSignal,
): Promise<void> {
  const plans = await planCrds(client, ownKindsOf(functionsOf(systems)));
  const names = (action: string): string =>
    plans.flatMap((plan) => (plan.action === action ? [plan.body.metadata.name] : [])).join(", ");
  if (names("create") !== "") say(`Installs the definitions of ${names("create")}`);
  if (names("change") !== "" && !yes)
    await ask(`The definitions of ${names("change")} stand there otherwise. Change them?`, signal);
  await applyCrds(client, plans, systemClock);
}

async function followed<T>(
  parts: {
    readonly client: KubeClient;
    readonly engine: EmbeddedEngine;
    readonly systems: readonly System[];
    readonly signal: AbortSignal;
  },
  follow: (running: RunningHere) => Promise<T>,
): Promise<T> {
  const { client, engine, systems, signal } = parts;
  const { bus, watcher } = engine;
  const quiet = { always: QUIET_MILLISECONDS, whileWaiting: QUIET_MILLISECONDS };
  const rest = watchRest({ bus, watcher, systems, idle: async () => undefined }, systemClock, quiet);
  let moves = 0;
  let seen = 0;
  let wake: (() => void) | undefined;
  const move = (): void => {
    moves += 1;
    wake?.();
  };
  const stop = bus.subscribe({ published: move, ran: move });
  try {
    return await follow({
      client,
      async rest(limitMilliseconds) {
        const settled = await rest.settled({ clock: systemClock, signal, limitMilliseconds });
        seen = moves;
        return settled;
      },
      moved: (limitMilliseconds) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason);
          if (moves !== seen || limitMilliseconds <= 0) return resolve();
          const end = (settle: () => void): void => {
            wake = undefined;
            cancel();
            signal.removeEventListener("abort", abort);
            settle();
          };
          const abort = (): void => end(() => reject(signal.reason));
          const cancel = systemClock.after(limitMilliseconds, () => end(resolve));
          wake = () => end(resolve);
          signal.addEventListener("abort", abort, { once: true });
        }),
    });
  } finally {
    stop();
    rest.stop();
  }
}
