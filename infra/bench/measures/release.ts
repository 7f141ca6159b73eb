import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ClusterOperator, ClusterVersion } from "../../../functions/cluster-version/index.ts";
import {
  COMPONENTS,
  generatedPayload,
  REAL_PAYLOAD_TASKS,
} from "../../../functions/cluster-version/test/payload/index.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/custom-resource-definition.ts";
import { entryName } from "../../../shared/ports/payloads/adapters/index.ts";
import { type ControlPlane, startControlPlane } from "../../control-plane/real-control-plane.ts";
import { bundle } from "../../deploy/bundle.ts";
import { connectionTo } from "../../testing/control-plane.ts";
import { eventually } from "../../testing/eventually.ts";
import { missingServers } from "../duel.ts";
import type { Bench, Measure } from "../measure.ts";
import { inParallel, median, short } from "../numbers.ts";
import { programFile, startProgram } from "../program.ts";

const VERSION = "1.0.0";
const IMAGE = `reg.example/rel:${VERSION}`;
const ROUNDS = 3;
const PARALLEL = 16;
const BY = { fieldManager: "bench" } as const;

interface Server {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
}

/** A server of its own for each round: an installation begins in an empty cluster. */
async function startServer(bench: Bench, name: string): Promise<Server> {
  const plane = await startControlPlane({ directory: join(bench.folder, name) });
  const client = createKubeClient({ connection: connectionTo(plane) });
  return { plane, client };
}

async function onServer<T>(bench: Bench, name: string, act: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServer(bench, name);
  try {
    return await act(server);
  } finally {
    server.client.close();
    await server.plane.stop();
  }
}

/** Applies the same manifests, as many at once, and nothing else: in a process of its own, from the files, like ours. Milliseconds. */
async function bare({ plane }: Server, program: string, manifests: string): Promise<number> {
  let milliseconds = Number.NaN;
  const applied = await startProgram([program, manifests, String(PARALLEL)], {
    environment: environmentOf(plane),
    isReady: (line) => {
      const [said, number] = line.split(" ");
      milliseconds = Number(number);
      return said === "done";
    },
  });
  await applied.stop();
  return milliseconds;
}

const environmentOf = (plane: ControlPlane): Readonly<Record<string, string>> => ({
  KUBECONFIG: plane.kubeconfigFile,
  NODE_OPTIONS: "--max-semi-space-size=2",
  MALLOC_ARENA_MAX: "1",
});

/**
 * The time from the request to `Completed`, with operators that are well from the first moment on. Milliseconds, and the most
 * memory in MiB.
 */
async function installed(
  { plane, client }: Server,
  program: string,
  payloads: string,
): Promise<{ readonly milliseconds: number; readonly peak: number }> {
  for (const kind of [ClusterOperator, ClusterVersion]) {
    const crd = crdOf(kind);
    await client.apply(resourceOf(CustomResourceDefinition), crd.metadata, { ...crd }, BY);
    await eventually(`${kind.kind} to be served`, () => isServed(client, resourceOf(kind)));
  }
  const operators = COMPONENTS.filter(({ operator }) => operator);
  await inParallel(PARALLEL, operators, ({ name }) => well(client, name));
  const worker = await startProgram([program, payloads], { environment: environmentOf(plane) });
  try {
    const request = {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "version" },
      spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", desiredUpdate: { image: IMAGE } },
    };
    // The server keeps the first write of a kind that it has just learnt waiting for 2 s, whoever asks.
    await client.create(resourceOf(ClusterVersion), request, { ...BY, dryRun: true });
    const began = performance.now();
    const { metadata } = await client.create(resourceOf(ClusterVersion), request, BY);
    await completed(client, metadata.resourceVersion ?? "");
    const milliseconds = performance.now() - began;
    const status = readFileSync(`/proc/${worker.pid}/status`, "utf8");
    return { milliseconds, peak: Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024 };
  } finally {
    await worker.stop();
  }
}

/** The server answers 404, then 429, until it serves a new kind. */
async function isServed(client: KubeClient, resource: Resource): Promise<boolean> {
  try {
    await client.list(resource, { limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof KubeError && error.retryable) return false;
    throw error;
  }
}

/** A watch, since asking again and again would take from the server that both share. */
async function completed(client: KubeClient, resourceVersion: string): Promise<void> {
  const end = new AbortController();
  let isCompleted = false;
  const late = setTimeout(() => end.abort(), 60_000);
  try {
    await client.watch(resourceOf(ClusterVersion), {
      resourceVersion,
      signal: end.signal,
      onEvent: ({ object }) => {
        const { history } = (object.status ?? {}) as {
          readonly history?: readonly { readonly state: string }[];
        };
        isCompleted ||= history?.[0]?.state === "Completed";
        if (isCompleted) end.abort();
      },
    });
  } finally {
    clearTimeout(late);
  }
  if (!isCompleted) throw new Error("the installation did not end in time, or the watch did");
}

async function well(client: KubeClient, name: string): Promise<void> {
  const operator = { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", metadata: { name } };
  await client.apply(resourceOf(ClusterOperator), { name }, { ...operator, spec: {} }, BY);
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const conditions = Object.entries({ Available: "True", Progressing: "False", Degraded: "False" }).map(
    ([type, status]) => ({ type, status, lastTransitionTime }),
  );
  const status = { conditions, versions: [{ name: "operator", version: VERSION }] };
  const options = { ...BY, subresource: "status" } as const;
  await client.apply(resourceOf(ClusterOperator), { name }, { ...operator, status }, options);
}

/** Installing a payload of real size, against creating the same objects and nothing else. */
export const release: Measure = {
  name: "release",
  missing: missingServers,
  run: async (bench) => {
    const files = Object.entries(generatedPayload({ version: VERSION }));
    const payloads = join(bench.folder, "payloads");
    for (const folder of ["manifests", "release-manifests"])
      await mkdir(join(payloads, entryName(IMAGE), folder), { recursive: true });
    for (const [path, text] of files) await writeFile(join(payloads, entryName(IMAGE), path), text);
    const program = async (name: string): Promise<string> =>
      (await bundle(programFile(`programs/${name}.ts`), join(bench.folder, `${name}.mjs`))).file;
    const worker = await program("release-worker");
    const applier = await program("release-bare");
    const limits: number[] = [];
    const own: number[] = [];
    const peaks: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      limits.push(
        await onServer(bench, `bare-${round}`, (server) =>
          bare(server, applier, join(payloads, entryName(IMAGE))),
        ),
      );
      const ours = await onServer(bench, `own-${round}`, (server) => installed(server, worker, payloads));
      own.push(ours.milliseconds);
      peaks.push(ours.peak);
    }
    const ratio = median(own) / median(limits);
    const most = Math.max(...peaks);
    return [
      {
        budget: `a payload of ${REAL_PAYLOAD_TASKS} tasks installed, ≤ 1.2× applying its manifests bare`,
        measured: `${short(median(own))} ms`,
        limit: `${short(median(limits))} ms`,
        ratio,
        ok: ratio <= 1.2,
      },
      {
        budget: "most memory of the process meanwhile, watcher and bus included, ≤ 160 MiB",
        measured: `${short(most)} MiB`,
        ok: most <= 160,
      },
    ];
  },
};
