import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { definePort, defineSystem, each } from "../../shared/function/index.ts";
import { eventually } from "../testing/eventually.ts";
import { installKinds } from "../testing/stack.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { Toy, toySystem } from "../testing/toy-system.ts";
import { type EmbeddedEngine, type EmbeddedEngineOptions, startEmbeddedEngine } from "./embedded.ts";

describe("an engine whose watcher is the only one of its cluster", () => {
  let api: TestApi;
  const folder = mkdtempSync(join(tmpdir(), "reveille-engine-"));
  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers: false });
    await installKinds(api.client, [toySystem]);
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  let remembered: string | undefined;
  /** Runs it until it is at rest. Resolves with why keys were resynced. */
  const swept = async (options: Partial<EmbeddedEngineOptions>): Promise<readonly string[]> => {
    const reasons: string[] = [];
    const engine = await startEmbeddedEngine({
      client: api.client,
      cluster: "only-12345678",
      systems: [toySystem],
      directory: folder,
      lease: false,
      code: { version: "1.0.0" },
      memory: {
        before: { for: remembered, nothing: remembered === undefined },
        keep: (text) => {
          remembered = text;
        },
      },
      onBus: (bus) => bus.subscribe({ ran: ({ causes }) => reasons.push(...causes.map(({ type }) => type)) }),
      ...options,
    });
    await atRest(engine);
    await engine.stop();
    return [...new Set(reasons)];
  };
  const atRest = async ({ watcher, bus }: EmbeddedEngine): Promise<void> => {
    await watcher.settled();
    await eventually("nothing to be left to run", async () =>
      Object.values(await bus.counts()).every(({ waiting, running }) => waiting + running === 0),
    );
  };

  it("sweeps nothing at first, and nothing where all is as it was", async () => {
    assert.deepEqual(await swept({}), []);
    assert.ok(remembered !== undefined);
    assert.deepEqual(await swept({}), []);
  });

  it("sweeps for code of another version, once", async () => {
    const code = { version: "1.0.1" };
    assert.deepEqual(await swept({ code }), ["function.changed"]);
    assert.deepEqual(await swept({ code }), []);
  });

  it("sweeps for another bus, once", async () => {
    const elsewhere = mkdtempSync(join(folder, "bus-"));
    const files = { bus: join(elsewhere, "bus.db"), ledger: join(folder, "ledger.db") };
    const code = { version: "1.0.1" };
    assert.deepEqual(await swept({ code, files }), ["bus.replaced"]);
    assert.deepEqual(await swept({ code, files }), []);
  });

  it("does not start, and leaves nothing behind, where nothing stands behind a port", async () => {
    const shop = definePort("shop").of<{ price(): Promise<number> }>();
    const buyer = each(Toy).function({ name: "buyer", uses: [shop], reconcile: () => ({}) });
    const systems = [defineSystem({ name: "buyers", functions: [buyer] })];
    await assert.rejects(swept({ systems }), { code: "PORT_UNBOUND" });
    // The ledger and the bus can be opened anew.
    assert.deepEqual(await swept({ code: { version: "1.0.1" } }), ["bus.replaced"]);
  });
});
