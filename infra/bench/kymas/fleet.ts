import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { kyma } from "../../../functions/kyma/index.ts";
import {
  CONTROL_PLANE,
  Kyma,
  Manifest,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
  runtimeAlive,
  runtimeChanged,
} from "../../../functions/kyma/kinds/index.ts";
import { natsOptions, openNatsBus } from "../../../shared/bus/nats/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { bundle } from "../../deploy/bundle.ts";
import { routingOf } from "../../engine/routing.ts";
import { startNatsServer } from "../../testing/nats-server.ts";
import { lookAt } from "../look-at.ts";
import { cpuSecondsOf, memoryOf } from "../machine.ts";
import type { Bench } from "../measure.ts";
import { inParallel } from "../numbers.ts";
import { AS_A_WATCHER, AS_A_WORKER, type Program, programFile, startProgram } from "../program.ts";
import { MODULES, writeLayout } from "./catalog.ts";
import { copiesOf, writeCopies } from "./copies.ts";
import { type Home, startHome } from "./home.ts";
import { type Player, startPlayer } from "./player.ts";

const PARALLEL = 16;
const WORKERS = 3;
const LOOK_MILLISECONDS = 200;
const defined = { "runtime.alive": runtimeAlive, "runtime.changed": runtimeChanged } as const;

/** Many Kymas, whose runtimes are played, and the processes of Reveille that bring their modules to them. */
export interface Fleet extends Pick<Player, "counts" | "applied" | "hang"> {
  readonly names: readonly string[];
  readonly home: Home;
  /** Creates the Kymas that begin from nothing, and the kubeconfigs of their runtimes, which say from then on that they are alive. */
  add(): Promise<void>;
  /** Resolves once all modules of these Kymas are ready. */
  ready(): Promise<void>;
  /** Adds the others as copies of the first one, which is ready; resolves once nothing is left to do. */
  copy(): Promise<void>;
  /** The mebibytes that the processes of Reveille take. */
  memory(): { readonly watcher: number; readonly workers: number };
  /** The CPU seconds that those processes have used which run now. */
  cpu(): number;
  /** Has the user of a runtime choose a channel for a module, and the runtime tell of it; resolves with when it told. */
  choose(name: string, channel: string): Promise<number>;
  /** Has a runtime say that something changed there. */
  tells(name: string): Promise<void>;
  /** Ends a worker as the death of its machine would, and starts another. */
  kill(): Promise<void>;
  /** Ends all processes and starts them anew, beside Kymas that are ready. */
  restart(): Promise<void>;
  /** Resolves once no work is left, and nothing has been asked of any runtime for a while. */
  quiet(): Promise<void>;
  /** Resolves once no work is left; runtimes that do not answer are probed all the while. */
  idle(): Promise<void>;
}

/** The objects of a kind that the server knows of; none where it is still behind. */
async function count(client: KubeClient, kind: Kind): Promise<number> {
  let found = 0;
  try {
    for await (const { items } of client.pages(resourceOf(kind))) found += items.length;
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.retryable) return 0;
    throw thrown;
  }
  return found;
}

/** Starts its servers and processes; there are no Kymas yet. */
export async function startFleet(bench: Bench): Promise<Fleet> {
  const size = bench.kymas;
  const digits = String(size - 1).length;
  const names = Array.from({ length: size }, (_, index) => `rt-${String(index).padStart(digits, "0")}`);
  const begun = names.slice(0, size - bench.copied);
  const [model = ""] = names;
  const nats = await startNatsServer();
  bench.after(() => nats.stop());
  const components = join(bench.folder, "components");
  await writeLayout(components);
  const player = await startPlayer(bench, model);
  const home = await startHome(bench);
  const { file } = await bundle(programFile("programs/kymas-host.ts"), join(bench.folder, "host.mjs"));
  const program = async (role: "watcher" | "worker"): Promise<Program> => {
    const flags = role === "watcher" ? AS_A_WATCHER : AS_A_WORKER;
    const started = await startProgram([...flags, file], {
      environment: {
        KUBECONFIG: home.kubeconfig,
        NATS_SERVER: nats.url,
        COMPONENTS: components,
        FOLDER: bench.folder,
        ROLE: role,
        NODE_OPTIONS: "--max-semi-space-size=8",
        MALLOC_ARENA_MAX: "1",
      },
    });
    bench.after(() => started.stop());
    return started;
  };
  let watcher = await program("watcher");
  const workers: Program[] = [];
  for (let number = 0; number < WORKERS; number++) workers.push(await program("worker"));
  const stop = async (): Promise<void> => {
    await Promise.all([watcher, ...workers].map((one) => one.stop()));
  };
  const start = async (): Promise<void> => {
    watcher = await program("watcher");
    for (const index of workers.keys()) workers[index] = await program("worker");
  };
  const unready = new Set(begun);
  await lookAt({ bench, client: home.client }, resourceOf(Kyma), CONTROL_PLANE, ({ metadata, status }) => {
    const { state, modules = [] } = (status ?? {}) as { state?: string; modules?: unknown[] };
    if (state === "Ready" && modules.length === MODULES.length) unready.delete(metadata.name);
    else unready.add(metadata.name);
  });
  const { names: functions, route, types } = routingOf([kyma]);
  const bus = await openNatsBus({
    nats: natsOptions.parse({ servers: [nats.url] }),
    functions,
    route,
    types,
  });
  bench.after(() => bus.close());
  let deliveries = 0;
  const publish = async (
    type: "runtime.alive" | "runtime.changed",
    runtimeId: string,
    data: object,
  ): Promise<void> => {
    const event = defined[type];
    await bus.publish([
      {
        specversion: "1.0",
        id: event.idOf({ runtimeId, ...data } as never),
        type,
        source: "/triggers/kyma-runtimes",
        subject: `runtime/${runtimeId}`,
        time: new Date().toISOString(),
        datacontenttype: "application/json",
        data: { runtimeId, ...data },
      },
    ]);
  };
  const tell = (name: string): Promise<void> => {
    const { group, version, kind } = Kyma;
    const watched = { group, version, kind, namespace: RUNTIME_NAMESPACE, name: RUNTIME_KYMA };
    deliveries += 1;
    return publish("runtime.changed", name, { delivery: String(deliveries), watched });
  };
  const alive = async (runtimes: readonly string[]): Promise<void> => {
    for (const name of runtimes)
      await publish("runtime.alive", name, { heard: new Date().toISOString(), host: "bench" });
  };
  const resident = (programs: readonly Program[]): number =>
    programs.reduce((sum, { pid }) => sum + memoryOf(pid).resident, 0);
  const isBusy = async (): Promise<boolean> =>
    Object.values(await bus.counts()).some(
      ({ waiting, running, retrying }) => waiting + running + retrying > 0,
    );
  const quiet = async (): Promise<void> => {
    for (let before = ""; ; await pause(3_000)) {
      const { reads, writes, probes } = await player.counts();
      const now = `${reads} ${writes} ${probes}`;
      // The bus reads tens of thousands of records to count them: it is asked once the runtimes are not.
      if (now === before && !(await isBusy())) return;
      before = now;
    }
  };
  return {
    ...player,
    names,
    quiet,
    async idle() {
      while (await isBusy()) await pause(3_000);
    },
    home,
    async add() {
      await inParallel(PARALLEL, begun, (name) => home.add(name, player.kubeconfigOf(name)));
      await alive(begun);
    },
    async copy() {
      const others = names.slice(begun.length);
      const copies = await copiesOf(home.client, model, others);
      await player.copy(copies);
      // A server that reads tens of thousands of objects from etcd anew answers nobody meanwhile.
      await stop();
      await writeCopies(home.etcd, model, copies);
      while ((await count(home.client, Manifest)) < names.length * MODULES.length) await pause(1_000);
      await start();
      await alive(others);
      await quiet();
    },
    async ready() {
      while (unready.size > 0) await pause(LOOK_MILLISECONDS);
    },
    cpu: () => [watcher, ...workers].reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0),
    memory: () => ({ watcher: resident([watcher]), workers: resident(workers) }),
    async choose(name, channel) {
      const user = player.userOf(name);
      const modules = MODULES.map((module, at) => (at === 0 ? { name: module, channel } : { name: module }));
      const place = { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE };
      await user.patch(resourceOf(Kyma), place, "merge", { spec: { modules } }, { fieldManager: "user" });
      user.close();
      const told = Date.now();
      await tell(name);
      return told;
    },
    tells: tell,
    async kill() {
      const [victim] = workers.splice(0, 1);
      if (victim !== undefined) process.kill(victim.pid, "SIGKILL");
      workers.push(await program("worker"));
    },
    async restart() {
      await stop();
      await start();
      await quiet();
    },
  };
}
