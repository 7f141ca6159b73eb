import { afterAll, beforeAll, describe, test } from "vitest";
import { goesUnharmedThrough } from "../../infra/faults/outage.ts";
import { startSiteOfOne, startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";

const CHANGES = 30;

describe.for([
  ["over NATS", startTrialSite],
  ["in one process", startSiteOfOne],
] as const)("outages of the API server %s", ([how, startSite]) => {
  let site: TrialSite;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  test("an API server that is killed gives nothing up", () =>
    goesUnharmedThrough(site, {
      what: `the API server is killed (${how})`,
      async begin() {
        await site.load.change(CHANGES);
        await site.plane.apiserver.kill();
      },
      end: () => site.plane.apiserver.restart(),
    }));

  for (const [mode, what] of [
    ["refuse", "workers are cut off from the API server"],
    ["stall", "the API server takes the workers' connections and answers nothing"],
  ] as const)
    test(`${what}, and nothing is given up`, () =>
      goesUnharmedThrough(site, {
        what: `${what} (${how})`,
        async begin() {
          await site.workersApi.set(mode);
          await site.load.change(CHANGES);
        },
        end: () => site.workersApi.set("pass"),
      }));
});
