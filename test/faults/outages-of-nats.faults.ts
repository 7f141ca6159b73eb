import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { BrokeredBus } from "../../infra/faults/buses.ts";
import { goesUnharmedThrough } from "../../infra/faults/outage.ts";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed } from "../../infra/faults/unharmed.ts";

const CHANGES = 30;

describe("outages of NATS", () => {
  let site: TrialSite<BrokeredBus>;
  beforeAll(async () => {
    site = await startTrialSite();
  });
  afterAll(() => site.stop());

  test("the auditor tells what nobody answers", async () => {
    await site.bus.broker.set("refuse");
    await site.load.change(CHANGES);
    const missed = await site.auditor.missed();
    for (const namespace of ["north", "south"])
      assert.equal(
        missed.filter((line) => line.startsWith(`Gear ${namespace}/gear-`)).length,
        CHANGES / 2,
        missed.join("\n"),
      );
    await site.bus.broker.set("pass");
    await isUnharmed(site);
  });

  test("NATS that is away costs nothing", () =>
    goesUnharmedThrough(site, {
      what: "NATS is away",
      async begin() {
        await site.bus.broker.set("refuse");
        await site.load.change(CHANGES);
      },
      end: () => site.bus.broker.set("pass"),
    }));

  test("NATS that is killed amid changes costs nothing", async () => {
    let end = (): void => undefined;
    let killed: Promise<void> | undefined;
    await goesUnharmedThrough(site, {
      what: "NATS is killed",
      async begin() {
        await site.load.change(CHANGES);
        const isOver = new Promise<void>((resolve) => {
          end = resolve;
        });
        killed = site.bus.whileKilled?.(() => isOver);
        await site.load.change(CHANGES);
      },
      async end() {
        end();
        await killed;
      },
    });
  });
});
