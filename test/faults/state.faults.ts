import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import type { BrokeredBus } from "../../infra/faults/buses.ts";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";

const CHANGES = 30;

describe("memory that is lost", () => {
  let site: TrialSite<BrokeredBus>;
  beforeAll(async () => {
    // Nothing collects garbage: what a former owner left behind is ours to replace.
    site = await startTrialSite({ controllerManager: false });
  });
  afterAll(() => site.stop());
  afterEach(() => nobodyEnded(site));

  test("the bus comes back empty: every key is resynced", async () => {
    await site.load.change(CHANGES);
    await site.bus.whileKilled?.(async (folder) => {
      rmSync(join(folder, "store"), { recursive: true });
      await site.load.change(CHANGES);
    });
    await isUnharmed(site);
  });

  test("the ledgers are deleted under running watchers, which are then killed", async () => {
    await site.load.change(CHANGES);
    for (const { name } of site.watchers)
      for (const suffix of ["", "-wal", "-shm"])
        rmSync(join(site.folder, `${name}.db${suffix}`), { force: true });
    for (const watcher of site.watchers) watcher.kill();
    await site.load.change(CHANGES);
    await isUnharmed(site);
  });

  test("an object is deleted and made again under its name, and nothing collects its former child", async () => {
    await site.load.change(CHANGES);
    await isUnharmed(site);
    for (const place of ["north/gear-0", "south/gear-1", "north/gear-2"]) {
      await site.load.remove(place);
      await site.load.made(place);
    }
    await isUnharmed(site);
  });
});
