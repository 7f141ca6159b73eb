import { type Duellist, missingServers, startDuel } from "../duel.ts";
import type { Measure } from "../measure.ts";
import { inParallel, median, short } from "../numbers.ts";

const OBJECTS = 1_000;
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
    for (let round = 0; round < ROUNDS; round++)
      for (const one of round % 2 === 0 ? [bare, reveille] : [reveille, bare])
        rates.get(one)?.push(await storm(one, round));
    const limit = median(rates.get(bare) ?? []);
    const own = median(rates.get(reveille) ?? []);
    return [
      {
        budget: `${OBJECTS.toLocaleString("en")} objects created at once, all answered ≥ 0.9× bare`,
        measured: `${short(own)}/s`,
        limit: `${short(limit)}/s`,
        ratio: own / limit,
        ok: own / limit >= 0.9,
      },
    ];
  },
};
