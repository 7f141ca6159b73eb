import { type LeapingClock, leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { type Stack, type StackOptions, startStack } from "../../../infra/testing/stack.ts";
import type { TestApi } from "../../../infra/testing/test-api.ts";
import type { System } from "../../../shared/function/index.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Job } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { type MemoryPayloads, memoryPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import { type Payloads, payloads, type Verifier } from "../../../shared/ports/payloads/index.ts";
import { readWork, WORK_RECORD } from "../decide/sync/work-record.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { type MemoryUpdateGraph, memoryUpdateGraph } from "../ports/update-graph/adapters/index.ts";
import { type UpdateGraph, updateGraph } from "../ports/update-graph/index.ts";
import { clusterVersionSystem } from "../system.ts";
import { type Component, imageOf, NAMESPACE, releaseFiles } from "./releases.ts";

/** What an operator says of itself. */
export interface Report {
  readonly available?: string;
  readonly degraded?: string;
  readonly progressing?: string;
  readonly upgradeable?: string;
  readonly versions?: Readonly<Record<string, string>>;
}

/** A cluster with the version operator, releases that it can be given, and people who act on it. */
export interface Stage {
  readonly stack: Stack;
  readonly clock: LeapingClock;
  readonly payloads: MemoryPayloads;
  /** Which updates there are; none until it is told. */
  readonly graph: MemoryUpdateGraph;
  /** Makes a release that can be asked for. */
  release(version: string, components: readonly Component[]): void;
  /** Payloads cannot be had until what it returns is called. */
  holdPayloads(): () => void;
  get<K extends Kind>(kind: K, name: string, namespace?: string): Promise<Obj<K> | undefined>;
  /** Creates the ClusterVersion, or changes what it asks for. */
  ask(spec: Readonly<Record<string, unknown>>): Promise<void>;
  /** As the operator of that name would. */
  report(name: string, says: Report): Promise<void>;
  settled(): Promise<void>;
  /** Every key is looked at once more. */
  again(): Promise<void>;
  /** The worker dies, and another one takes its place. */
  restart(): Promise<void>;
  /** Takes away what a scenario left, so that the next one begins in an empty cluster. */
  empty(): Promise<void>;
  says(): Promise<Said>;
  stop(): Promise<void>;
}

/** What the ClusterVersion says, a line a condition: `Failing=True Reason message`. */
export interface Said {
  readonly conditions: Readonly<Record<string, string>>;
  readonly history: readonly string[];
  readonly status: ClusterVersion["status"];
}

export interface StageOptions extends Partial<Pick<StackOptions, "engineClient" | "directory">> {
  readonly api: "local" | "real" | TestApi;
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly verifier?: Verifier;
  /** Asked for updates in place of `graph`. */
  readonly updates?: UpdateGraph;
  /** Default: the system itself. */
  readonly system?: System;
  /** Of another stage on the same API server: its workers live in the same time. */
  readonly clock?: LeapingClock;
}

export async function startStage(options: StageOptions): Promise<Stage> {
  const { api, configuration = {}, verifier, engineClient, directory } = options;
  const { clock = leapingClock(), system = clusterVersionSystem } = options;
  const images = memoryPayloads({}, verifier === undefined ? {} : { verifier });
  const graph = memoryUpdateGraph();
  let held = Promise.resolve();
  const holding: Payloads = {
    load: async (image) => {
      await held;
      return images.load(image);
    },
  };
  const stack = await startStack({
    api,
    systems: [system],
    // Payloads of tests bring kinds of their own.
    configuration: { "cluster-version": { kinds: ["*"], ...configuration } },
    ...(engineClient !== undefined && { engineClient }),
    ...(directory !== undefined && { directory }),
    engine: { clock, ports: [payloads.bind(holding), updateGraph.bind(options.updates ?? graph)] },
  });
  const { client } = stack;
  const get: Stage["get"] = async (kind, name, namespace) => {
    const raw = await client.get(resourceOf(kind), { name, ...(namespace !== undefined && { namespace }) });
    return raw && parseObject(kind, raw);
  };
  const stage: Stage = {
    stack,
    clock,
    payloads: images,
    holdPayloads: () => {
      let letGo = (): void => undefined;
      held = new Promise((resolve) => {
        letGo = resolve;
      });
      return letGo;
    },
    graph,
    get,
    release: (version, components) => images.put(imageOf(version), releaseFiles(version, components)),
    async ask(spec) {
      await client.apply(
        resourceOf(ClusterVersion),
        { name: "version" },
        {
          apiVersion: "config.openshift.io/v1",
          kind: "ClusterVersion",
          metadata: { name: "version" },
          spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", ...spec },
        },
        { fieldManager: "admin", force: true },
      );
    },
    async report(name, { versions = {}, ...said }) {
      const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
      const conditions = Object.entries(said).map(([type, status]) => ({
        type: type.charAt(0).toUpperCase() + type.slice(1),
        status: status as string,
        lastTransitionTime: at,
      }));
      const body = {
        apiVersion: "config.openshift.io/v1",
        kind: "ClusterOperator",
        metadata: { name },
      };
      await client.apply(
        resourceOf(ClusterOperator),
        { name },
        { ...body, spec: {} },
        { fieldManager: name, force: true },
      );
      await client.apply(
        resourceOf(ClusterOperator),
        { name },
        {
          ...body,
          status: {
            conditions,
            versions: Object.entries(versions).map(([of, version]) => ({ name: of, version })),
          },
        },
        { fieldManager: name, force: true, subresource: "status" },
      );
    },
    settled: () => stack.settled(),
    again: () => stack.everyKeyOnce(),
    restart: () => stack.restartEngine({ abruptly: true }),
    async empty() {
      const left: readonly (readonly [Kind, string | undefined])[] = [
        [ClusterVersion, undefined],
        [ClusterOperator, undefined],
        [ConfigMap, NAMESPACE],
        [Job, NAMESPACE],
        [ConfigMap, WORK_RECORD.namespace],
      ];
      for (const [kind, namespace] of left)
        for await (const page of client.pages(resourceOf(kind), { namespace }))
          for (const { metadata } of page.items)
            await client.delete(resourceOf(kind), metadata, { uid: metadata.uid });
      await stack.settled();
    },
    async says() {
      const { status } = (await get(ClusterVersion, "version")) ?? {};
      return {
        status,
        conditions: Object.fromEntries(
          (status?.conditions ?? []).map(({ type, status: is, reason, message }) => [
            type,
            [is, reason, message].filter((part) => part !== undefined && part !== "").join(" "),
          ]),
        ),
        history: (status?.history ?? []).map(({ version, state }) => `${version} ${state}`),
      };
    },
    stop: () => stack.stop(),
  };
  return stage;
}

/** All of them are well, and at that version. */
export async function allWell(stage: Stage, version: string, names: readonly string[]): Promise<void> {
  for (const name of names) await stage.report(name, { ...WELL, versions: { operator: version } });
  await calm(stage);
}
export const WELL: Report = { available: "True", progressing: "False", degraded: "False" };

/** The time goes on. */
export async function pass(stage: Stage, minutes: number): Promise<void> {
  stage.clock.leap(minutes * 60_000);
  await stage.settled();
}

/** A cluster at a release, where all operators are well. */
export async function installed(
  stage: Stage,
  version: string,
  components: readonly Component[],
): Promise<readonly string[]> {
  const names = components.filter(({ operands }) => operands !== false).map(({ name }) => name);
  stage.release(version, components);
  await stage.ask({ desiredUpdate: { version, image: imageOf(version) } });
  await calm(stage);
  await allWell(stage, version, names);
  const { history } = await stage.says();
  if (history[0] !== `${version} Completed`)
    throw new Error(`${version} was not installed: ${JSON.stringify(await stage.says())}`);
  return names;
}

/** Asks for a release, and lets the sync begin. */
export async function moveTo(
  stage: Stage,
  version: string,
  components?: readonly Component[],
): Promise<void> {
  if (components !== undefined) stage.release(version, components);
  await stage.ask({ desiredUpdate: { version, image: imageOf(version) } });
  await calm(stage);
}

/** Settled, also where a task failed on the way and is tried again in its time: the server may have refused it once. */
async function calm(stage: Stage): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await stage.settled();
    const record = readWork(await workRecord(stage));
    if (tries === 3 || !record?.failures.some(({ error }) => error.effect === "Fail")) return;
    stage.clock.leap(15_000);
  }
}

/** The record of the work, as it lies in the cluster. */
export const workRecord = (stage: Stage): Promise<ConfigMap | undefined> =>
  stage.get(ConfigMap, WORK_RECORD.name, WORK_RECORD.namespace);
export const settings = (stage: Stage, name: string): Promise<ConfigMap | undefined> =>
  stage.get(ConfigMap, `${name}-settings`, NAMESPACE);
export type { KubeObject };
