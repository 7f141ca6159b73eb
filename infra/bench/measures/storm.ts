import { type Duellist, missingServers, startDuel } from "../duel.ts";
import { cpuSecondsOf } from "../machine.ts";
import type { Measure } from "../measure.ts";
import { inParallel, median, short } from "../numbers.ts";

const OBJECTS = 2_000;
const ROUNDS = 3;

/** Objects a second, from the first create to the last right status. */
async function storm(one: Duellist, round: number): Promise<number> {
  const names = Array.from({ length: OBJECTS }, (_, index) => `storm-${round}-${index}`);
  const began = performance.now();
  await inParallel(32, names, (name, index) => one.create(name, index + 1));
  const answers = await Promise.all(names.map((name) => one.answered(name, 1)));
  return OBJECTS / ((Math.max(...answers) - began) / 1000);
}

/** Many objects created at once, by turns with the bare loop. */
export const manyAtOnce: Measure = {
  name: "storm",
  missing: missingServers,
  run: async (bench) => {
    const { bare, reveille } = await startDuel(bench, false);
    const rates = new Map<Duellist, number[]>([
      [bare, []],
      [reveille, []],
    ]);
    const cpuOf = ({ pids }: Duellist): number => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
    const before = [bare, reveille].map(cpuOf);
    for (let round = 0; round < ROUNDS; round++)
      for (const one of round % 2 === 0 ? [bare, reveille] : [reveille, bare])
        rates.get(one)?.push(await storm(one, round));
    const limit = median(rates.get(bare) ?? []);
    const own = median(rates.get(reveille) ?? []);
    const [bareCpu = Number.NaN, ownCpu = Number.NaN] = [bare, reveille].map(
      (one, index) => ((cpuOf(one) - (before[index] ?? 0)) * 1_000) / (OBJECTS * ROUNDS),
    );
    const what = `${OBJECTS.toLocaleString("en")} objects created at once`;
    return [
      {
        budget: `${what}, all answered ≥ 0.8× bare`,
        measured: `${short(own)}/s`,
        limit: `${short(limit)}/s`,
        ratio: own / limit,
        ok: own / limit >= 0.8,
        bar: {
          chart: "ratios",
          label: `${OBJECTS.toLocaleString("en")} at once, objects/s (more is better)`,
          own: own / limit,
          budget: 0.8,
        },
      },
      {
        budget: `${what}: CPU for 1,000 ≤ 0.8 s`,
        measured: `${short(ownCpu)} s`,
        limit: `${short(bareCpu)} s`,
        ratio: ownCpu / bareCpu,
        ok: ownCpu <= 0.8,
        bar: { chart: "cpu", label: what, own: ownCpu, bare: bareCpu, budget: 0.8 },
      },
    ];
  },
};
