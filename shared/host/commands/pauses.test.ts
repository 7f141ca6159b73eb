import assert from "node:assert/strict";
import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import { PAUSED } from "../../function/heeded.ts";
import { FORMER_NAMESPACE, HOME_NAMESPACE } from "../../kube/home.ts";
import { resourceOf } from "../../kube/kind.ts";
import { ConfigMap, Deployment } from "../../kube/kinds/index.ts";
import { silent } from "../../log/log.ts";
import { type FunctionPause, PAUSED_FUNCTIONS, pausedFunctions } from "./paused-functions.ts";
import { PAUSE_COMMAND, pauseObject } from "./paused-object.ts";
import { readPausedFunctions } from "./told-pauses.ts";

const NOW = Date.parse("2026-01-15T10:00:00.000Z");

/** Commands as people may give them: some at the same time, each of its own id. */
const commands = fc
  .array(fc.record({ paused: fc.boolean(), second: fc.integer({ min: 0, max: 3 }) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) =>
    all.map(
      ({ paused, second }, index): FunctionPause => ({
        paused,
        at: new Date(NOW + second * 1_000).toISOString(),
        command: `command-${index}`,
        askedBy: `person ${index}`,
      }),
    ),
  );
/** Commands, and an order in which a bus may deliver them: each at least once. */
const delivered = commands.chain((all) =>
  fc
    .record({
      order: fc.shuffledSubarray(
        all.map((_, index) => index),
        { minLength: all.length },
      ),
      more: fc.array(fc.nat(all.length - 1), { maxLength: 3 }),
    })
    .map(({ order, more }) => ({ all, order: [...order, ...more] })),
);

/** The command that was given last. */
const last = (all: readonly FunctionPause[]): FunctionPause =>
  all.reduce((one, other) =>
    other.at > one.at || (other.at === one.at && other.command > one.command) ? other : one,
  );

describe("pauses, in whatever order and however often their commands arrive", () => {
  let api: TestApi;
  afterAll(() => api.stop());
  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers: false });
  });

  it("leave a function as the last command says, and say who gave it", async () => {
    const place = { namespace: HOME_NAMESPACE, name: PAUSED_FUNCTIONS };
    let round = 0;
    await fc.assert(
      fc.asyncProperty(delivered, fc.boolean(), async ({ all, order }, atOnce) => {
        const name = `function-${round++}`;
        const paused = pausedFunctions({ client: api.client, clock: manualClock(NOW), log: silent });
        const set = (index: number) => paused.set(name, all[index] ?? assert.fail());
        if (atOnce && order.length <= 4) await Promise.all(order.map(set));
        else for (const index of order) await set(index);
        const kept = await api.client.get(resourceOf(ConfigMap), place);
        const entry = (kept?.data as Record<string, string> | undefined)?.[name];
        assert.deepEqual(JSON.parse(entry ?? "null"), last(all));
        assert.equal(await paused.has(name), last(all).paused);
      }),
      { numRuns: 60 },
    );
  });

  it("are known by whoever wrote them, though an older look ends later", async () => {
    const name = "looked-at-twice";
    const held = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    let holds = true;
    const client: typeof api.client = {
      ...wrapClient(api.client, (_, send) => send()),
      get: async (...args) => {
        const found = await api.client.get(...args);
        if (!holds) return found;
        seen.resolve();
        await held.promise;
        return found;
      },
    };
    const clock = manualClock(NOW);
    const paused = pausedFunctions({ client, clock, log: silent });
    const looking = paused.has("another");
    await seen.promise;
    holds = false;
    const pause = { paused: true, at: "2026-01-15T10:00:00Z", command: "late", askedBy: "ann" };
    assert.equal((await paused.set(name, pause)).outcome, "done");
    held.resolve();
    assert.equal(await looking, false);
    assert.equal(await paused.has(name), true);
  });

  it("read what was paused where pauses lay before, until a later command says otherwise", async () => {
    const paused = (name: string) => ({
      paused: true,
      at: "2026-01-15T09:00:00Z",
      command: name,
      askedBy: "ann",
    });
    const parts = { client: api.client, clock: manualClock(NOW), log: silent };
    const former = pausedFunctions({ ...parts, namespace: FORMER_NAMESPACE });
    for (const name of ["kept", "resumed"]) await former.set(name, paused(name));
    const now = pausedFunctions({ ...parts, namespace: "another-home" });
    assert.deepEqual([await now.has("kept"), await now.has("resumed")], [true, true]);
    const older = { ...paused("older"), paused: false, at: "2026-01-15T08:00:00Z" };
    assert.equal((await now.set("kept", older)).outcome, "superseded");
    const later = { ...paused("later"), paused: false, at: "2026-01-15T10:00:00Z" };
    assert.equal((await now.set("resumed", later)).outcome, "done");
    assert.deepEqual([await now.has("kept"), await now.has("resumed")], [true, false]);
    const told = await readPausedFunctions(api.client, "another-home");
    assert.ok(told.some(({ function: name }) => name === "kept"));
    assert.ok(!told.some(({ function: name }) => name === "resumed"));
    assert.equal(await former.has("resumed"), true, "nothing is written there");
  });

  it("leave an object as the last command says, and say who gave it", async () => {
    const { signal } = new AbortController();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(delivered, async ({ all, order }) => {
        const at = { group: "apps", kind: "Deployment", namespace: "default", name: `object-${round++}` };
        const spec = {
          selector: { matchLabels: { app: "a" } },
          template: {
            metadata: { labels: { app: "a" } },
            spec: { containers: [{ name: "a", image: "a" }] },
          },
        };
        const metadata = { namespace: at.namespace, name: at.name };
        await api.client.apply(
          resourceOf(Deployment),
          at,
          { apiVersion: "apps/v1", kind: "Deployment", metadata, spec },
          { fieldManager: "tester", force: true },
        );
        for (const index of order)
          await pauseObject(api.client, Deployment, at, all[index] ?? assert.fail(), signal);
        const live = (await api.client.get(resourceOf(Deployment), at)) ?? assert.fail();
        const { [PAUSED]: paused, [PAUSE_COMMAND]: mark } = live.metadata.annotations ?? {};
        assert.deepEqual(JSON.parse(mark ?? "null"), last(all));
        assert.equal(paused === "true", last(all).paused);
      }),
      { numRuns: 40 },
    );
  });
});
