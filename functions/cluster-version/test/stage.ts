import { type LeapingClock, leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { type Stack, type StackOptions, startStack } from "../../../infra/testing/stack.ts";
import type { TestApi } from "../../../infra/testing/test-api.ts";
import type { System } from "../../../shared/function/index.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { type MemoryPayloads, memoryPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import { type Payloads, payloads, type Verifier } from "../../../shared/ports/payloads/index.ts";
import { readWork, WORK_RECORD } from "../decide/sync/work-record.ts";
import { type MemoryUpdateGraph, memoryUpdateGraph } from "../ports/update-graph/adapters/index.ts";
import { type UpdateGraph, updateGraph } from "../ports/update-graph/index.ts";
import { clusterVersionSystem } from "../system.ts";
import { type Component, imageOf, NAMESPACE } from "./releases.ts";
import { type Report, type Site, siteOf } from "./site.ts";

/** A site in one process with its test, which has the time, the payloads and the updates in its hand. */
export interface Bench extends Site {
  readonly payloads: MemoryPayloads;
  /** The updates that there are; none until it is told. */
  readonly graph: MemoryUpdateGraph;
}

/** One with a whole engine, and its worker in the test's hand as well. */
export interface Stage extends Bench {
  readonly stack: Stack;
  readonly clock: LeapingClock;
  /** Payloads cannot be had until what it returns is called. */
  holdPayloads(): () => void;
  /** The worker dies, and another one takes its place. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface StageOptions extends Partial<Pick<StackOptions, "engineClient" | "directory">> {
  readonly api: "local" | "real" | TestApi;
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly verifier?: Verifier;
  /** Asked for updates in place of `graph`. */
  readonly updates?: UpdateGraph;
  /** Default: the system itself. */
  readonly system?: System;
  /** The clock of another stage on the same API server: its workers live in the same time. */
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
  const site = siteOf({
    client: stack.client,
    put: (image, files) => images.put(image, files),
    settled: () => stack.settled(),
    again: () => stack.everyKeyOnce(),
    wait: (milliseconds) => clock.leap(milliseconds),
  });
  return {
    ...site,
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
    restart: () => stack.restartEngine({ abruptly: true }),
    stop: () => stack.stop(),
  };
}

/** All of them are well, and at that version. */
export async function allWell(stage: Site, version: string, names: readonly string[]): Promise<void> {
  for (const name of names) await stage.report(name, { ...WELL, versions: { operator: version } });
  await calm(stage);
}
export const WELL: Report = { available: "True", progressing: "False", degraded: "False" };

/** The time goes on. */
export async function pass(stage: Site, minutes: number): Promise<void> {
  stage.wait(minutes * 60_000);
  await stage.settled();
}

/** A cluster at a release, where all operators are well. */
export async function installed(
  stage: Site,
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
export async function moveTo(stage: Site, version: string, components?: readonly Component[]): Promise<void> {
  if (components !== undefined) stage.release(version, components);
  await stage.ask({ desiredUpdate: { version, image: imageOf(version) } });
  await calm(stage);
}

/** Settled, also where a task failed on the way and is tried again in its time: the server may have refused it once. */
async function calm(stage: Site): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await stage.settled();
    const record = readWork(await workRecord(stage));
    if (tries === 3 || !record?.failures.some(({ error }) => error.effect === "Fail")) return;
    stage.wait(15_000);
  }
}

/** The record of the work, as it lies in the cluster. */
export const workRecord = (stage: Site): Promise<ConfigMap | undefined> =>
  stage.get(ConfigMap, WORK_RECORD.name, WORK_RECORD.namespace);
export const settings = (stage: Site, name: string): Promise<ConfigMap | undefined> =>
  stage.get(ConfigMap, `${name}-settings`, NAMESPACE);
export type { KubeObject };
