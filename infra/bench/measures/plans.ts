import { setTimeout as pause } from "node:timers/promises";
import { Widget } from "../../../examples/widget/widget.ts";
import { Instance, OperatorVersion } from "../../../functions/kudo/index.ts";
import type { InstanceStatus } from "../../../functions/kudo/kinds/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { eventually } from "../../testing/eventually.ts";
import { missingServers } from "../duel.ts";
import { cpuSecondsOf } from "../machine.ts";
import type { Figure, Measure } from "../measure.ts";
import { inParallel, median, quantile, short } from "../numbers.ts";
import { DELETING, SMALL } from "../plans/shapes.ts";
import { BY, OWN, type PlanStage, startPlanStage } from "../plans/stage.ts";

const INSTANCES = 500;
const WAITERS = 50;
const PARALLEL = 16;
const REST_MILLISECONDS = 10_000;
const LATE_MILLISECONDS = 600_000;
const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const uses = (version: string) => ({ spec: { operatorVersion: { name: version } } });

/** Widgets that change one after the other, and the milliseconds until their status observes it. */
async function bystanders(stage: PlanStage) {
  const seen = new Map<string, () => void>();
  const widget = (index: number): string => `bystander-${index % 20}`;
  await stage.follow(Widget, OWN, ({ metadata, status }) => {
    const observed = (status as { readonly observedGeneration?: number } | undefined)?.observedGeneration;
    seen.get(`${metadata.name}/${observed}`)?.();
  });
  const answered = (name: string, generation: number): Promise<void> =>
    new Promise((resolve) => {
      seen.set(`${name}/${generation}`, resolve);
    });
  for (const name of names("bystander", 20)) {
    const answer = answered(name, 1);
    await stage.create(Widget, OWN, name, { spec: { value: 1, message: "" } });
    await answer;
  }
  let turn = 1;
  const change = async (): Promise<number> => {
    const at = { namespace: OWN, name: widget(turn) };
    const answer = answered(at.name, 2 + Math.floor((turn - 1) / 20));
    turn += 1;
    await stage.client.patch(resourceOf(Widget), at, "merge", { spec: { value: turn + 10 } }, BY);
    const changed = performance.now();
    await answer;
    return performance.now() - changed;
  };
  return change;
}

/** The Instances whose plan is complete, and those of which a step waits for a deletion. */
interface Progress {
  readonly complete: ReadonlySet<string>;
  readonly waiting: ReadonlySet<string>;
}

async function progressOf(stage: PlanStage): Promise<Progress> {
  const complete = new Set<string>();
  const waiting = new Set<string>();
  await stage.follow(Instance, OWN, ({ metadata, status }: KubeObject) => {
    const { deploy } = (status as InstanceStatus | undefined)?.planStatus ?? {};
    if (deploy?.status === "COMPLETE") complete.add(metadata.name);
    const steps = (deploy?.phases ?? []).flatMap((phase) => phase.steps ?? []);
    if (steps.some(({ message = "" }) => message.includes("is being deleted"))) waiting.add(metadata.name);
  });
  return { complete, waiting };
}

async function manyAtOnce(stage: PlanStage, { complete }: Progress): Promise<readonly Figure[]> {
  const change = await bystanders(stage);
  // They wait for their version: all of them begin at once.
  await inParallel(PARALLEL, names("db", INSTANCES), (name) =>
    stage.create(Instance, OWN, name, uses(SMALL.name)),
  );
  await stage.rest();
  const alone: number[] = [];
  for (let turn = 0; turn < 100; turn += 1) alone.push(await change());
  const cpu = cpuSecondsOf(stage.worker.pid);
  const began = performance.now();
  await stage.install(OWN, SMALL);
  const meanwhile: number[] = [];
  while (complete.size < INSTANCES) {
    if (performance.now() - began > LATE_MILLISECONDS)
      throw new Error(`only ${complete.size} of ${INSTANCES} plans were complete in time`);
    meanwhile.push(await change());
  }
  const seconds = (performance.now() - began) / 1000;
  const spent = cpuSecondsOf(stage.worker.pid) - cpu;
  const p99 = quantile(meanwhile, 0.99);
  return [
    {
      budget: `${INSTANCES} Instances run plans at once: p99 of other keys ≤ 1 s`,
      measured: `${short(p99)} ms of ${meanwhile.length} in ${short(seconds)} s (p50 ${short(median(meanwhile))} ms, CPU ${short(spent)} s)`,
      limit: `${short(median(alone))} ms alone (p50)`,
      ratio: p99 / median(alone),
      ok: p99 <= 1_000,
    },
  ];
}

/** The requests that the worker sends in a while, watches apart, and the watches that it opens. */
async function during(stage: PlanStage): Promise<{ readonly sent: number; readonly watches: number }> {
  const before = await stage.rest();
  await pause(REST_MILLISECONDS);
  const after = await stage.state();
  return { sent: after.sent - before.sent, watches: after.watches - before.watches };
}

const SECONDS = REST_MILLISECONDS / 1000;

async function atRest(stage: PlanStage): Promise<readonly Figure[]> {
  const { sent, watches } = await during(stage);
  return [
    {
      budget: `${INSTANCES} idle Instances: no requests`,
      measured: `${sent}, and ${watches} watches opened, in ${SECONDS} s`,
      ok: sent === 0 && watches === 0,
    },
  ];
}

/** Plans that wait for objects of which no function watches the kind: each deletes a ConfigMap that a finalizer keeps. */
async function waits(stage: PlanStage, { complete, waiting }: Progress): Promise<readonly Figure[]> {
  const waiters = names("waiter", WAITERS);
  await stage.create(OperatorVersion, OWN, DELETING.name, { spec: DELETING.spec });
  await inParallel(PARALLEL, waiters, (name) =>
    stage.client.create(
      resourceOf(ConfigMap),
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: OWN, name: `${name}-kept`, finalizers: ["bench.example.org/keep"] },
      },
      BY,
    ),
  );
  const before = await stage.rest();
  await inParallel(PARALLEL, waiters, (name) => stage.create(Instance, OWN, name, uses(DELETING.name)));
  await eventually("all to wait", () => waiting.size === WAITERS, LATE_MILLISECONDS);
  const opened = (await stage.rest()).watches - before.watches;
  const { sent, watches } = await during(stage);
  const woken = await stage.state();
  await inParallel(PARALLEL, waiters, (name) =>
    stage.client.patch(
      resourceOf(ConfigMap),
      { namespace: OWN, name: `${name}-kept` },
      "merge",
      { metadata: { finalizers: null } },
      BY,
    ),
  );
  await eventually("all waits to end", () => waiters.every((name) => complete.has(name)), LATE_MILLISECONDS);
  const polls = (await stage.rest()).sent - woken.sent;
  return [
    {
      budget: `${WAITERS} plans wait: ≤ 1 watch a wait, and no other requests meanwhile`,
      measured: `${opened} watches, then ${sent} requests and ${watches} watches in ${SECONDS} s`,
      ok: opened <= WAITERS && sent === 0 && watches === 0,
    },
    {
      budget: "a wait that ends: one line of a watch; the requests of the plan from there to its end",
      measured: `${short(polls / WAITERS)} a plan`,
      ok: true,
    },
  ];
}

/** Many plans beside other keys, what Instances cost that have nothing to do, and those that wait. */
export const plans: Measure = {
  name: "plans",
  missing: missingServers,
  run: async (bench) => {
    const stage = await startPlanStage(bench);
    const progress = await progressOf(stage);
    return [
      ...(await manyAtOnce(stage, progress)),
      ...(await atRest(stage)),
      ...(await waits(stage, progress)),
    ];
  },
};
