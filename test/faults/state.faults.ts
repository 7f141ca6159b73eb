import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import { type FaultWorld, startFaultWorld } from "../../infra/faults/world.ts";

const CHANGES = 30;

describe("memory that is lost", () => {
  let world: FaultWorld;
  beforeAll(async () => {
    // Nothing collects garbage: what a former owner left behind is ours to replace.
    world = await startFaultWorld({ controllerManager: false });
  });
  afterAll(() => world.stop());
  afterEach(() => nobodyEnded(world));

  test("the bus comes back empty: every key is looked at once more", async () => {
    await world.load.change(CHANGES);
    await world.bus.whileKilled?.(async (folder) => {
      rmSync(join(folder, "store"), { recursive: true });
      await world.load.change(CHANGES);
    });
    await isUnharmed(world);
  });

  test("the ledgers are deleted under running watchers, which are then killed", async () => {
    await world.load.change(CHANGES);
    for (const { name } of world.watchers)
      for (const suffix of ["", "-wal", "-shm"])
        rmSync(join(world.folder, `${name}.db${suffix}`), { force: true });
    for (const watcher of world.watchers) watcher.kill();
    await world.load.change(CHANGES);
    await isUnharmed(world);
  });

  test("an object is deleted and made again under its name, and nothing collects its former child", async () => {
    await world.load.change(CHANGES);
    await isUnharmed(world);
    for (const place of ["north/gear-0", "south/gear-1", "north/gear-2"]) {
      await world.load.remove(place);
      await world.load.made(place);
    }
    await isUnharmed(world);
  });
});
