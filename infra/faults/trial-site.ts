import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { messageOf } from "../../shared/errors.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { type ControlPlane, connectionTo, startControlPlane } from "../testing/control-plane.ts";
import { FaultProxy } from "../testing/fault-proxy.ts";
import { Member } from "../testing/member.ts";
import { installKinds } from "../testing/stack.ts";
import { Auditor } from "./auditor.ts";
import { type BrokeredBus, embeddedIn, type FaultyBus, natsBehindProxy } from "./buses.ts";
import { gears } from "./gear.ts";
import { GearLoad } from "./load.ts";
import { memberSettings } from "./settings.ts";

const PROGRAM = join(import.meta.dirname, "../cli/main.ts");
const LOOK_MILLISECONDS = 250;
const READY_MILLISECONDS = 120_000;
const COMMAND_MILLISECONDS = 60_000;

export interface SiteOptions<B extends FaultyBus = BrokeredBus> {
  /** Default: NATS. */
  readonly bus?: (functions: readonly string[], folder: string) => Promise<B>;
  readonly watchers?: number;
  readonly workers?: number;
  /** Runs kube-controller-manager too. Default false: nothing collects garbage. */
  readonly controllerManager?: boolean;
  /** More settings of every member, by section. */
  readonly settings?: Parameters<typeof memberSettings>[1];
}

/** Reveille's processes on real servers, with a proxy on every way, and an auditor. */
export interface TrialSite<B extends FaultyBus = FaultyBus> {
  readonly plane: ControlPlane;
  readonly bus: B;
  /** Between watchers and the API server. */
  readonly watchersApi: FaultProxy;
  /** Between workers and the API server. */
  readonly workersApi: FaultProxy;
  readonly watchers: readonly Member[];
  /** Those that run functions: where the bus belongs to one process, that one. */
  readonly workers: readonly Member[];
  readonly auditor: Auditor;
  readonly load: GearLoad;
  readonly client: KubeClient;
  /** Settings, ledgers and logs. */
  readonly folder: string;
  /** Waits until nothing is missed, and returns the seconds that took; throws with what is missed after `withinSeconds`. */
  heals(withinSeconds: number): Promise<number>;
  /** `function key: code` of each dead letter, as `reveille dead-letters list` tells them. */
  deadLetters(): Promise<readonly string[]>;
  /** Runs `reveille` with these words and the settings of a worker. */
  reveille(...words: readonly string[]): Promise<string>;
  /** Everything that a member has logged. */
  logOf(member: Member): string;
  /** Ends everything. The folder stays where the site did not heal. */
  stop(): Promise<void>;
}

/** A site whose watcher and worker are one process, `reveille run`. */
export const startSiteOfOne = (
  options: Pick<SiteOptions, "controllerManager" | "settings"> = {},
): Promise<TrialSite> =>
  startOn({
    ...options,
    watchers: 0,
    workers: 1,
    bus: async (_functions, folder) => embeddedIn(folder),
  });

/** Starts a site over NATS, or over the bus that is asked for, and waits until a first Gear is answered. */
export const startTrialSite = ({
  bus = natsBehindProxy,
  ...options
}: SiteOptions = {}): Promise<TrialSite<BrokeredBus>> => startOn({ ...options, bus });

/** Starts a site over a bus. What was started is ended where a later part fails. */
async function startOn<B extends FaultyBus>(
  options: SiteOptions<B> & Required<Pick<SiteOptions<B>, "bus">>,
): Promise<TrialSite<B>> {
  const endings: (() => Promise<void> | void)[] = [];
  const end = async (): Promise<void> => {
    for (const ending of endings.splice(0).toReversed()) await ending();
  };
  try {
    return await start(options, endings, end);
  } catch (error) {
    await end();
    throw error;
  }
}

async function start<B extends FaultyBus>(
  {
    bus: newBus,
    watchers: watcherCount = 2,
    workers: workerCount = 2,
    controllerManager = false,
    settings = {},
  }: SiteOptions<B> & Required<Pick<SiteOptions<B>, "bus">>,
  endings: (() => Promise<void> | void)[],
  end: () => Promise<void>,
): Promise<TrialSite<B>> {
  const folder = mkdtempSync(join(tmpdir(), "reveille-faults-"));
  const plane = await startControlPlane({ controllerManager });
  endings.push(() => plane.stop());
  const client = createKubeClient({ connection: connectionTo(plane) });
  endings.push(() => client.close());
  await installKinds(client, [gears]);
  const bus = await newBus(
    gears.functions.map(({ name }) => name),
    folder,
  );
  endings.push(() => bus.stop());
  const apiPort = Number(new URL(plane.url).port);
  const [watchersApi, workersApi] = await Promise.all([FaultProxy.start(apiPort), FaultProxy.start(apiPort)]);
  endings.push(async () => void (await Promise.all([watchersApi.stop(), workersApi.stop()])));

  const member = (role: "watcher" | "worker" | "run", index: number): Member => {
    const name = `${role}-${index}`;
    const through = role === "watcher" ? watchersApi : workersApi;
    const kubeconfig = join(folder, `${role}.kubeconfig`);
    writeFileSync(
      kubeconfig,
      readFileSync(plane.kubeconfigFile, "utf8").replace(plane.url, `https://127.0.0.1:${through.port}`),
    );
    writeFileSync(
      settingsFile(folder, name),
      JSON.stringify(memberSettings({ name, folder, kubeconfig, bus: bus.settings }, settings)),
    );
    return new Member(
      name,
      [role, "--config", settingsFile(folder, name)],
      logFile(folder, name),
      bus.environment,
    );
  };
  const watchers = Array.from({ length: watcherCount }, (_, index) => member("watcher", index));
  const workers = Array.from({ length: workerCount }, (_, index) =>
    member(bus.ofOne ? "run" : "worker", index),
  );
  for (const one of [...watchers, ...workers]) one.start();
  endings.push(async () => void (await Promise.all([...watchers, ...workers].map((one) => one.stop()))));

  const auditor = new Auditor(plane);
  endings.push(() => auditor.stop());
  const load = new GearLoad(client);
  await load.prepare();
  const reveille = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [PROGRAM, ...words, "--config", settingsFile(folder, workers[0]?.name ?? "")],
      {
        env: { ...process.env, ...bus.environment, NO_COLOR: "1" },
        timeout: COMMAND_MILLISECONDS,
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    return stdout;
  };
  let hasFailed = false;
  const heals = async (withinSeconds: number): Promise<number> => {
    try {
      return await healsWithin(auditor, withinSeconds);
    } catch (error) {
      hasFailed = true;
      throw new Error(`${messageOf(error)}\nSettings, ledgers and logs lie in ${folder}`, { cause: error });
    }
  };
  const site: TrialSite<B> = {
    plane,
    bus,
    watchersApi,
    workersApi,
    watchers,
    workers,
    auditor,
    load,
    client,
    folder,
    heals,
    deadLetters: async () =>
      (JSON.parse(await reveille("dead-letters", "list", "-o", "json")) as readonly DeadLetter[]).map(
        (letter) => `${letter.function} ${letter.key}: ${letter.error.code}`,
      ),
    reveille,
    logOf: ({ name }) => readFileSync(logFile(folder, name), "utf8"),
    async stop() {
      await end();
      if (!hasFailed) rmSync(folder, { recursive: true, force: true });
    },
  };
  await heals(READY_MILLISECONDS / 1000);
  return site;
}

/** One dead letter, as `dead-letters list -o json` prints it. */
interface DeadLetter {
  readonly function: string;
  readonly key: string;
  readonly error: { readonly code: string };
}

const settingsFile = (folder: string, name: string): string => join(folder, `${name}.json`);
const logFile = (folder: string, name: string): string => join(folder, `${name}.log`);

async function healsWithin(auditor: Auditor, withinSeconds: number): Promise<number> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  for (;;) {
    const missed = await auditor.missed().catch((error: unknown) => [messageOf(error)]);
    if (missed.length === 0) return seconds();
    if (seconds() > withinSeconds)
      throw new Error(
        `${missed.length} missed after ${Math.round(seconds())} s:\n${missed.slice(0, 10).join("\n")}`,
      );
    await pause(LOOK_MILLISECONDS);
  }
}
