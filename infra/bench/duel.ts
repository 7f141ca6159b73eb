import { join } from "node:path";
import { Widget } from "../../examples/widget/widget.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/custom-resource-definition.ts";
import { Namespace } from "../../shared/kube/kinds/namespace.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { missingBinaries } from "../control-plane/binaries.ts";
import { startControlPlane } from "../control-plane/real-control-plane.ts";
import { bundle } from "../deploy/bundle.ts";
import { connectionTo } from "../testing/control-plane.ts";
import { eventually } from "../testing/eventually.ts";
import { lookAt } from "./look-at.ts";
import { missingProc } from "./machine.ts";
import type { Bench } from "./measure.ts";
import { AS_A_WATCHER, AS_A_WORKER, programFile, startProgram } from "./program.ts";

/** The reason why no real API server can run here; undefined where one can. */
export const missingServers = (): string | undefined =>
  missingProc() ?? missingBinaries(process.env.KUBEBUILDER_ASSETS, ["etcd", "kube-apiserver"]);

/** One who answers the Widgets of one namespace. */
export interface Duellist {
  readonly name: "bare" | "reveille";
  /** The ids of its processes. */
  readonly pids: readonly number[];
  create(name: string, value: number): Promise<void>;
  /** Changes a Widget; resolves with the milliseconds from the server's answer to the status that observes the change. */
  change(name: string, value: number): Promise<number>;
  /** Resolves when the status of this generation was seen, with the time (`performance.now`). */
  answered(name: string, generation: number): Promise<number>;
}

export interface Duel {
  readonly client: KubeClient;
  readonly bare: Duellist;
  readonly reveille: Duellist;
}

const resource = resourceOf(Widget);

/** A program of Reveille, and what its environment says beside the usual. */
interface Entry {
  readonly file: string;
  /** Options of Node, as its command sets them where it is deployed. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Reveille as one process with a bus of its own, or as watcher and worker over a NATS server. */
const contenders = (nats: string | undefined): readonly Entry[] =>
  nats === undefined
    ? [{ file: "contender/main.ts", flags: AS_A_WORKER }]
    : (["worker", "watcher"] as const).map((ROLE) => ({
        file: "contender/over-nats.ts",
        flags: ROLE === "worker" ? AS_A_WORKER : AS_A_WATCHER,
        environment: { ROLE, NATS_SERVER: nats },
      }));

/**
 * The bare loop and Reveille, side by side on one real API server, each in a namespace of its own.
 * @param nats the address of its server; absent: Reveille is one process
 */
export async function startDuel(bench: Bench, child: boolean, nats?: string): Promise<Duel> {
  const plane = await startControlPlane({ directory: join(bench.folder, "plane") });
  bench.after(() => plane.stop());
  const client = createKubeClient({ connection: connectionTo(plane), concurrentWrites: 32 });
  bench.after(() => client.close());
  const crd = crdOf(Widget);
  await client.apply(
    resourceOf(CustomResourceDefinition),
    crd.metadata,
    { ...crd },
    { fieldManager: "bench" },
  );
  await eventually("Widgets to be served", () => isWatched(client));
  const begin = async (name: Duellist["name"], entries: readonly Entry[]): Promise<Duellist> => {
    const namespace = `duel-${name}`;
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    await client.create(resourceOf(Namespace), body, { fieldManager: "bench" });
    const pids: number[] = [];
    for (const [index, entry] of entries.entries()) {
      const { file } = await bundle(
        programFile(entry.file),
        join(bench.folder, `program-${name}-${index}.mjs`),
      );
      const program = await startProgram([...(entry.flags ?? []), file], {
        environment: {
          KUBECONFIG: plane.kubeconfigFile,
          WIDGET_NAMESPACE: namespace,
          WIDGET_CHILD: String(child),
          BENCH_CACHE: bench.folder,
          ...entry.environment,
        },
      });
      bench.after(() => program.stop());
      pids.push(program.pid);
    }
    return duellist(name, pids, client, namespace, bench);
  };
  return {
    client,
    bare: await begin("bare", [{ file: "programs/bare.ts" }]),
    reveille: await begin("reveille", contenders(nats)),
  };
}

/** After so long an answer is missed, and the measure is broken. */
const ANSWER_SECONDS = 60;

/** True where the server watches the new kind already; at first it says 404, then 429. */
async function isWatched(client: KubeClient): Promise<boolean> {
  try {
    const { metadata } = await client.list(resource, { limit: 1 });
    const end = new AbortController();
    await client.watch(resource, {
      resourceVersion: metadata.resourceVersion,
      signal: end.signal,
      onOpen: () => end.abort(),
      onEvent: () => undefined,
    });
    return true;
  } catch (error) {
    if (error instanceof KubeError && (error.kind === "kindMissing" || error.kind === "throttled"))
      return false;
    throw error;
  }
}

async function duellist(
  name: Duellist["name"],
  pids: readonly number[],
  client: KubeClient,
  namespace: string,
  bench: Bench,
): Promise<Duellist> {
  const observed = new Map<string, { readonly generation: number; readonly at: number }>();
  const waiting = new Map<string, { readonly generation: number; readonly seen: (at: number) => void }>();
  const look = (object: KubeObject): void => {
    const generation = (object.status as { readonly observedGeneration?: number } | undefined)
      ?.observedGeneration;
    if (generation === undefined) return;
    const at = performance.now();
    observed.set(object.metadata.name, { generation, at });
    const waiter = waiting.get(object.metadata.name);
    if (waiter === undefined || generation < waiter.generation) return;
    waiting.delete(object.metadata.name);
    waiter.seen(at);
  };
  await lookAt({ bench, client }, resource, namespace, look);
  const answered = (of: string, generation: number): Promise<number> => {
    const known = observed.get(of);
    if (known !== undefined && known.generation >= generation) return Promise.resolve(known.at);
    return new Promise((seen, reject) => {
      const late = setTimeout(() => {
        waiting.delete(of);
        reject(new Error(`${name} did not answer generation ${generation} of ${of} in ${ANSWER_SECONDS} s`));
      }, ANSWER_SECONDS * 1000);
      waiting.set(of, {
        generation,
        seen: (at) => {
          clearTimeout(late);
          seen(at);
        },
      });
    });
  };
  const spec = (value: number) => ({ value, message: `turn ${value}` });
  return {
    name,
    pids,
    answered,
    create: async (of, value) => {
      const body = {
        apiVersion: "bench.example.org/v1",
        kind: "Widget",
        metadata: { namespace, name: of },
        spec: spec(value),
      };
      await client.create(resource, body, { fieldManager: "bench" });
    },
    change: async (of, value) => {
      const place = { namespace, name: of };
      const changed = await client.patch(
        resource,
        place,
        "merge",
        { spec: spec(value) },
        { fieldManager: "bench" },
      );
      const sent = performance.now();
      return (await answered(of, changed.metadata.generation ?? 0)) - sent;
    },
  };
}
