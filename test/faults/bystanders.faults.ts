import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed } from "../../infra/faults/unharmed.ts";

const DYING_SECONDS = 100;
/** So long a worker lives once it has said that it is ready. */
const LIFE_MILLISECONDS = 2_200;
const LOOK_MILLISECONDS = 50;
const BYSTANDERS = 16;

describe("a worker that dies soon after each start, for a reason that is no object's", () => {
  let site: TrialSite;
  beforeAll(async () => {
    // The attempts that users have: each death while a key ran alone takes one.
    site = await startTrialSite({ workers: 1, settings: { runs: { maximumAttempts: 10 } } });
  });
  afterAll(() => site.stop());

  test("gives none of the objects up that it ran", async () => {
    for (let at = 0; at < BYSTANDERS; at++)
      await site.load.gear(`south/bystander-${at}`, { takesMilliseconds: 1_500 + at * 100 });
    const [worker] = site.workers;
    if (worker === undefined) throw new Error("there is no worker");
    const starts = (): number => site.logOf(worker).split('"msg":"ready"').length;
    for (const until = performance.now() + DYING_SECONDS * 1000; performance.now() < until; ) {
      const known = starts();
      await pause(LIFE_MILLISECONDS);
      worker.kill();
      while (starts() === known && performance.now() < until) await pause(LOOK_MILLISECONDS);
    }
    // Suspects run one after another, each for seconds.
    await isUnharmed(site);
  });
});
