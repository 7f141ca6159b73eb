import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { breakInAllModes } from "../../infra/faults/network.ts";
import { startSiteOfOne, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import { seededRandom } from "../../infra/testing/random.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const CHANGES = 30;
const BROKEN_MILLISECONDS = 8_000;

describe(`one process that is watcher and worker, with seed ${seed}`, () => {
  let site: TrialSite;
  beforeAll(async () => {
    // Short enough that a request that was swallowed is given up while the network is still broken.
    site = await startSiteOfOne({ settings: { cluster: { requestTimeout: "5s" } } });
  });
  afterAll(() => site.stop());
  afterEach(() => nobodyEnded(site));

  test("a network to the API server that breaks under changes loses nothing", async () => {
    const over = new AbortController();
    const changes = site.load.stream(over.signal, seededRandom(seed), () => pause(100));
    await breakInAllModes(site.workersApi, BROKEN_MILLISECONDS);
    over.abort();
    await changes;
    await isUnharmed(site);
  });

  for (const [what, name] of [
    ["the bus, file and journal,", /^bus\./],
    ["the ledger", /^run-0\.db/],
    ["both", /^(bus\.|run-0\.db)/],
  ] as const)
    test(`${what} deleted under it, and then its death, lose nothing`, async () => {
      await site.load.change(CHANGES);
      const files = readdirSync(site.folder).filter((file) => name.test(file));
      assert.ok(files.length > 0);
      for (const file of files) rmSync(join(site.folder, file), { recursive: true });
      for (const one of site.workers) one.kill();
      await site.load.change(CHANGES);
      await isUnharmed(site);
    });
});
