import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterPlatform, Platform, Workflow } from "../../../functions/sonataflow/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Deployment } from "../../../shared/kube/kinds/deployment.ts";
import { Namespace } from "../../../shared/kube/kinds/namespace.ts";
import { startControlPlane } from "../../control-plane/real-control-plane.ts";
import { bundle } from "../../deploy/bundle.ts";
import { startSimulator } from "../../simulator/index.ts";
import { connectionTo } from "../../testing/control-plane.ts";
import { eventually } from "../../testing/eventually.ts";
import { installKinds } from "../../testing/install-crds.ts";
import { missingServers } from "../duel.ts";
import { cpuSecondsOf } from "../machine.ts";
import type { Measure } from "../measure.ts";
import { inParallel, short } from "../numbers.ts";
import { AS_A_WORKER, programFile, startProgram } from "../program.ts";

const NAMES = 10;
const NAMESPACES = 100;
const PARALLEL = 16;
const LIMIT_MILLISECONDS = 3_600_000;
const BY = { fieldManager: "bench" } as const;
const places = Array.from({ length: NAMES * NAMESPACES }, (_, index) => ({
  name: `flow-${index % NAMES}`,
  namespace: `team-${Math.floor(index / NAMES)}`,
}));
const hubs = ["hub-a", "hub-b"] as const;
const flow = {
  start: "Hello",
  states: [{ name: "Hello", type: "inject", data: { msg: "hi" }, end: true }],
};
type Status = NonNullable<Workflow["status"]>;

/** Puts an object of SonataFlow. */
async function put(
  client: KubeClient,
  kind: typeof ClusterPlatform | typeof Platform | typeof Workflow,
  place: { readonly name: string; readonly namespace?: string },
  spec: object,
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  const body = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, spec };
  await client.apply(
    resourceOf(kind),
    place,
    { ...body, metadata: { ...place, annotations } },
    { ...BY, force: true },
  );
}

/** Follows the workflows: what they say, and how often that was written. */
async function follow(client: KubeClient, signal: AbortSignal) {
  const writes = new Map<string, number>();
  const right = new Map<string, string>();
  const { metadata } = await client.list(resourceOf(Workflow), { limit: 1 });
  let { resourceVersion } = metadata;
  const watch = async (): Promise<void> => {
    while (!signal.aborted)
      await client.watch(resourceOf(Workflow), {
        resourceVersion,
        signal,
        onEvent: ({ type, object }) => {
          if (type === "ERROR") throw new Error(`the watch was refused: ${JSON.stringify(object)}`);
          resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
          if (type !== "MODIFIED") return;
          const key = `${object.metadata.namespace}/${object.metadata.name}`;
          writes.set(key, (writes.get(key) ?? 0) + 1);
          const { conditions, services } = (object.status ?? {}) as Partial<Status>;
          const runs = conditions?.some(({ type: of, status }) => of === "Running" && status === "True");
          right.set(key, runs ? (services?.dataIndexRef?.url ?? "") : "");
        },
      });
  };
  const watching = watch();
  return {
    writes,
    areAt: (hub: string): boolean =>
      right.size === places.length && [...right.values()].every((url) => url.endsWith(`.${hub}`)),
    stop: () => watching,
  };
}

/** The generation of each workflow's Deployment: how often its pods were rolled out. */
async function generations(client: KubeClient): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const { items } of client.pages(resourceOf(Deployment)))
    for (const { metadata } of items)
      found.set(`${metadata.namespace}/${metadata.name}`, metadata.generation ?? 0);
  return found;
}

/** A thousand workflows, of which a hundred each bear the same name, and then another hub for all of them. */
export const manyWorkflows: Measure = {
  name: "workflows",
  missing: missingServers,
  run: async (bench) => {
    const plane = await startControlPlane({ directory: join(bench.folder, "plane") });
    bench.after(() => plane.stop());
    const client = createKubeClient({ connection: connectionTo(plane) });
    bench.after(() => client.close());
    await installKinds(client, [ClusterPlatform, Platform, Workflow]);
    for (const name of [...hubs, ...new Set(places.map(({ namespace }) => namespace))]) {
      const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
      await client.create(resourceOf(Namespace), body, BY);
    }
    const simulator = await startSimulator({ client, delayMilliseconds: 0 });
    bench.after(() => simulator.stop());
    const { file } = await bundle(
      programFile("programs/workflows-worker.ts"),
      join(bench.folder, "worker.mjs"),
    );
    const answers: ((left: number) => void)[] = [];
    const worker = await startProgram([...AS_A_WORKER, file, bench.folder], {
      environment: {
        KUBECONFIG: plane.kubeconfigFile,
        NODE_OPTIONS: "--max-semi-space-size=8",
        MALLOC_ARENA_MAX: "1",
      },
      onLine: (line) => {
        if (line.startsWith("left ")) answers.shift()?.(Number(line.slice("left ".length)));
      },
    });
    bench.after(() => worker.stop());
    const left = (): Promise<number> =>
      new Promise((resolve) => {
        answers.push(resolve);
        process.kill(worker.pid, "SIGUSR2");
      });
    const end = new AbortController();
    const followed = await follow(client, end.signal);
    bench.after(async () => {
      end.abort();
      await followed.stop();
    });
    const allAt = async (hub: string): Promise<number> => {
      const began = performance.now();
      await eventually(`all workflows at ${hub}`, () => followed.areAt(hub), LIMIT_MILLISECONDS);
      await eventually("no key waits", async () => (await left()) === 0, LIMIT_MILLISECONDS);
      return (performance.now() - began) / 1000;
    };

    for (const namespace of hubs)
      await put(
        client,
        Platform,
        { name: "hub", namespace },
        { services: { dataIndex: {}, jobService: {} } },
      );
    await put(
      client,
      ClusterPlatform,
      { name: "shared" },
      { platformRef: { name: "hub", namespace: hubs[0] } },
    );
    await inParallel(PARALLEL, places, (place) =>
      put(
        client,
        Workflow,
        place,
        { flow, podTemplate: { container: { image: "registry.example/flow:1" } } },
        { "sonataflow.org/profile": "gitops", "sonataflow.org/version": "1.0.0" },
      ),
    );
    const first = await allAt(hubs[0]);
    const before = await generations(client);
    followed.writes.clear();
    const cpu = cpuSecondsOf(worker.pid);
    await put(
      client,
      ClusterPlatform,
      { name: "shared" },
      { platformRef: { name: "hub", namespace: hubs[1] } },
    );
    const second = await allAt(hubs[1]);
    const after = await generations(client);
    const writes = [...followed.writes.values()];
    const rollouts = places.map(({ name, namespace }) => {
      const key = `${namespace}/${name}`;
      return (after.get(key) ?? 0) - (before.get(key) ?? 0);
    });
    const status = readFileSync(`/proc/${worker.pid}/status`, "utf8");
    const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
    const what = `${places.length.toLocaleString("en")} workflows of ${NAMES} names`;
    const onceEach = (counts: readonly number[]): boolean =>
      counts.length === places.length && counts.every((count) => count === 1);
    const range = (counts: readonly number[]): string =>
      `${counts.length}: ${Math.min(...counts)} to ${Math.max(...counts)}`;
    return [
      { budget: `${what}: most memory ≤ 300 MiB`, measured: `${short(peak)} MiB`, ok: peak <= 300 },
      {
        budget: `${what}, another hub: one status write each`,
        measured: range(writes),
        ok: onceEach(writes),
      },
      {
        budget: `${what}, another hub: one roll-out each`,
        measured: range(rollouts),
        ok: onceEach(rollouts),
      },
      {
        budget: `${what}: until all are right and no key waits, at first and after the change`,
        measured: `${short(first)} s, ${short(second)} s (CPU ${short(cpuSecondsOf(worker.pid) - cpu)} s)`,
        ok: true,
      },
    ];
  },
};
