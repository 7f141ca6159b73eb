import type { TestContext } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { type DryRunRounds, startDryRunRounds, userCluster } from "../../../infra/testing/system/index.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import { kudo } from "../index.ts";
import { type Shop, shopOf } from "./shop.ts";

/** A shop in which each run is first run dry. */
export type DryRunShop = Shop & DryRunRounds;

/** Server and runs share a time that only leaps: a second that ends between dry run and run would make them differ. */
export async function startDryRunShop(api: "local" | "real", t: TestContext): Promise<DryRunShop> {
  let now = Date.now();
  const clock: Clock = { ...systemClock, now: () => now };
  const server = await startTestApi({ api, clock });
  t.onTestFinished(() => server.stop());
  const rounds = await startDryRunRounds(server, { name: kudo.name, system: kudo, clock });
  const shop = shopOf(server.client, userCluster(server.client, kudo, rounds), (time) => {
    now = Math.max(now, time);
  });
  t.onTestFinished(() => shop.stop());
  return {
    ...shop,
    // Nobody works between rounds, and no time passes but what the server's own controllers need.
    until: async (what, holds) => {
      const look = async (): Promise<boolean> => {
        if (await holds()) return true;
        now += 1_000;
        await rounds.settled();
        return false;
      };
      await eventually(what, look);
    },
    compared: rounds.compared,
  };
}
