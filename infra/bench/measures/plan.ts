import { Instance } from "../../../functions/kudo/index.ts";
import type { InstanceStatus } from "../../../functions/kudo/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { missingServers } from "../duel.ts";
import { cpuSecondsOf } from "../machine.ts";
import type { Figure, Measure } from "../measure.ts";
import { median, short } from "../numbers.ts";
import { ONE_TASK, type PlanShape, TEN_TASKS } from "../plans/shapes.ts";
import { BARE, OWN, type PlanStage, startPlanStage } from "../plans/stage.ts";

const ROUNDS = 5;
const LATE_MILLISECONDS = 120_000;

/** The statuses of an Instance, one after the other, each as often as it was written anew. */
interface Followed {
  readonly statuses: string[];
  readonly done: PromiseWithResolvers<number>;
}

const stepsOf = (status: InstanceStatus): readonly string[] =>
  (status.planStatus?.deploy?.phases ?? []).flatMap(({ steps = [] }) =>
    steps.map((step) => `${step.name} ${step.status}`),
  );

/** The writes after which a step stood otherwise than before, and those between them after which none did. */
function countedOf(statuses: readonly string[]): { readonly steps: number; readonly needless: number } {
  const told = statuses.map((text) => JSON.stringify(stepsOf(JSON.parse(text))));
  const changes = told.map(
    (steps, index) => index > 0 && told[index - 1] !== "[]" && steps !== told[index - 1],
  );
  const during = changes.slice(changes.indexOf(true), changes.lastIndexOf(true) + 1);
  return { steps: during.filter(Boolean).length, needless: during.filter((changed) => !changed).length };
}

const titleOf = ({ steps, tasks, objects }: PlanShape): string =>
  `a plan of ${steps} steps over ${steps * tasks * objects} objects, ${tasks === 1 ? "one task" : `${tasks} tasks`} a step`;

/** Runs the plan by turns; milliseconds from the create to COMPLETE, and what was written of the status. */
async function race(stage: PlanStage, shape: PlanShape): Promise<readonly Figure[]> {
  const followed = new Map<string, Followed>();
  const look = ({ metadata, status }: KubeObject): void => {
    const one = followed.get(`${metadata.namespace}/${metadata.name}`);
    if (one === undefined || status === undefined) return;
    const text = JSON.stringify(status);
    if (one.statuses.at(-1) === text) return;
    one.statuses.push(text);
    if ((status as InstanceStatus).planStatus?.deploy?.status === "COMPLETE")
      one.done.resolve(performance.now());
  };
  for (const namespace of [OWN, BARE]) {
    await stage.install(namespace, shape);
    await stage.follow(Instance, namespace, look);
  }
  const once = async (namespace: string, name: string): Promise<{ took: number; statuses: string[] }> => {
    const one: Followed = { statuses: [], done: Promise.withResolvers() };
    followed.set(`${namespace}/${name}`, one);
    const late = setTimeout(
      () => one.done.reject(new Error(`${name} was not complete in time`)),
      LATE_MILLISECONDS,
    );
    const began = performance.now();
    await stage.create(Instance, namespace, name, { spec: { operatorVersion: { name: shape.name } } });
    const took = (await one.done.promise) - began;
    clearTimeout(late);
    if (namespace === OWN) await stage.rest();
    return { took, statuses: one.statuses };
  };
  for (const namespace of [OWN, BARE]) await once(namespace, `${shape.name}-first`);
  const limits: number[] = [];
  const own: number[] = [];
  let written: readonly string[] = [];
  const cpu = cpuSecondsOf(stage.worker.pid);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const namespace of round % 2 === 0 ? [OWN, BARE] : [BARE, OWN]) {
      const { took, statuses } = await once(namespace, `${shape.name}-${round}`);
      (namespace === OWN ? own : limits).push(took);
      if (namespace === OWN && statuses.length > written.length) written = statuses;
    }
  const spent = (cpuSecondsOf(stage.worker.pid) - cpu) / ROUNDS;
  // Round by round: what else the machine does comes and goes.
  const ratio = median(own.map((took, round) => took / (limits[round] ?? Number.NaN)));
  const { steps, needless } = countedOf(written);
  return [
    {
      budget: `${titleOf(shape)}: ≤ 2× bare`,
      measured: `${short(median(own))} ms, CPU ${short(spent)} s`,
      limit: `${short(median(limits))} ms`,
      ratio,
      ok: ratio <= 2,
    },
    {
      budget: `${titleOf(shape)}: status writes ≤ 1 a step change`,
      measured: `${steps}, and ${needless} between them; ${written.length - steps - needless} before and after`,
      ok: steps <= shape.steps && needless === 0,
    },
  ];
}

/** A long plan, against applying the same objects step after step. */
export const plan: Measure = {
  name: "plan",
  missing: missingServers,
  run: async (bench) => {
    const stage = await startPlanStage(bench);
    await stage.startBare();
    const figures: Figure[] = [];
    for (const shape of [ONE_TASK, TEN_TASKS]) figures.push(...(await race(stage, shape)));
    return figures;
  },
};
