import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { apply, atMost, each, inOrder, unwatched } from "../../index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { wrapClient } from "../../infra/testing/wrapped-client.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Tank, tank } from "./kinds.ts";
import { at, MAPS, stage, TANKS } from "./stage.ts";

/** One map of the work; the 7th of chain `bad` is refused by the server. */
const step = (tankName: string, chain: number, index: number, bad: number) =>
  apply(ConfigMap, {
    metadata: {
      name: `${tankName}-${chain}-${index}`,
      namespace: "default",
      ...(chain === bad && index === 6 && { labels: { "no label": "of these" } }),
    },
    data: { chain: `${chain}` },
  });

describe("work of hundreds of effects, on the local API", () => {
  const api = stage();
  const mapsOf = async (name: string): Promise<readonly string[]> =>
    (await api.client.list(MAPS, { namespace: "default" })).items
      .map(({ metadata }) => metadata.name)
      .filter((one) => one.startsWith(`${name}-`));

  it("concludes 16 parallel chains each by itself, and stops the one that fails", async (t) => {
    let most = 0;
    let now = 0;
    const counted = (client: KubeClient): KubeClient =>
      wrapClient(client, async ({ verb, status }, send) => {
        if (verb !== "apply" || status) return send();
        now += 1;
        most = Math.max(most, now);
        try {
          return await send();
        } finally {
          now -= 1;
        }
      });
    const chains = each(Tank).function({
      name: "chains",
      writes: [unwatched(ConfigMap, "a test")],
      reconcile: ({ self }) => {
        const work = Array.from({ length: 40 }, (_, chain) =>
          inOrder(...Array.from({ length: 10 }, (_, index) => step(self.metadata.name, chain, index, 3))),
        );
        return {
          effects: atMost(16, work),
          conclude: (results) => {
            const ended = work.filter((chain) => results.within(chain).ok);
            const [bad] = work.filter((chain) => !results.within(chain).ok);
            const states = (bad?.inOrder ?? []).map((one) =>
              "plan" in one ? results(one).state : "a branch",
            );
            return { status: { level: ended.length, note: states.join() } };
          },
        };
      },
    });
    const stack = await api.run(t, [chains], { engineClient: counted });
    await stack.apply(tank("chains", { size: 1 }));
    await stack.settled();
    assert.deepEqual(await api.statusOf("chains"), {
      level: 39,
      note: "done,done,done,done,done,done,failed,not run,not run,not run",
    });
    assert.equal((await mapsOf("chains")).length, 396);
    assert.ok(most > 1 && most <= 16, `${most} at once`);
  });

  it("asks for its lease before each write, so that a host that lost it ends within one round", async (t) => {
    let writes = 0;
    let after = 0;
    let lost = false;
    const counting = (client: KubeClient): KubeClient =>
      wrapClient(client, async ({ verb, status }, send) => {
        if (verb !== "apply" || status) return send();
        writes += 1;
        if (lost) after += 1;
        if (writes === 100) {
          lost = true;
          stack.engine.bus.abandon();
        }
        return send();
      });
    const many = each(Tank).function({
      name: "many",
      writes: [unwatched(ConfigMap, "a test")],
      reconcile: ({ self }) => ({
        effects: Array.from({ length: 400 }, (_, index) => step(self.metadata.name, index, 0, -1)),
        status: { level: 400 },
      }),
    });
    const stack = await api.run(t, [many], { engineClient: counting });
    await stack.apply(tank("many", { size: 1 }));
    await eventually("the host to have lost its lease", async () => writes >= 100);
    await stack.restartEngine({ abruptly: true, engineClient: (client) => client });
    await stack.settled();
    assert.ok(after <= 16, `${after} writes began after the lease was lost`);
    assert.equal((await mapsOf("many")).length, 400);
    assert.deepEqual(await api.statusOf("many"), { level: 400 });
  });

  it("goes on slice by slice with `again`, holds up no other key, and is no loop", async (t) => {
    const ROUNDS = 60;
    const clock = { at: Date.now() };
    const slices = each(Tank).function({
      name: "slices",
      reconcile: ({ self }) => {
        // Each pass seems to take longer than a slice is long.
        if (self.metadata.name === "sliced") clock.at += 2_500;
        const level = self.status?.level ?? 0;
        const next = self.metadata.name === "sliced" ? Math.min(level + 1, ROUNDS) : 1;
        return { status: { level: next }, again: next < ROUNDS && self.metadata.name === "sliced" };
      },
    });
    const stack = await api.run(t, [slices], { clock: { ...systemClock, now: () => clock.at } });
    await stack.apply(tank("sliced", { size: 1 }));
    await eventually("the first slices", async () => Number((await api.statusOf("sliced"))?.level ?? 0) > 2);
    await stack.apply(tank("beside", { size: 1 }));
    await eventually("the other key", async () => (await api.statusOf("beside"))?.level === 1);
    const ahead = Number((await api.statusOf("sliced"))?.level);
    await stack.settled();
    assert.ok(ahead < ROUNDS, "the other key did not wait for the long work's end");
    assert.deepEqual(await api.statusOf("sliced"), { level: ROUNDS });
    const runs = stack.runs().filter(({ key }) => key.endsWith("/sliced"));
    assert.ok(runs.length >= ROUNDS, `${runs.length} runs: each slice is a run of its own`);
    assert.ok(
      runs.every(({ outcome }) => outcome === "done"),
      "it was never made to rest",
    );
  });

  it("knows without a read when it last wrote the status", async (t) => {
    const seen: (string | undefined)[] = [];
    const clock = { at: Date.parse("2026-03-01T10:00:00Z") };
    const throttled = each(Tank).function({
      name: "throttled",
      reconcile: ({ self }, { lastStatusAt }) => {
        seen.push(lastStatusAt);
        return { status: { level: self.spec.size } };
      },
    });
    const stack = await api.run(t, [throttled], { clock: { ...systemClock, now: () => clock.at } });
    await stack.apply(tank("throttled", { size: 1 }));
    await stack.settled();
    assert.equal(seen[0], undefined);
    await stack.everyKeyOnce();
    const live = await api.client.get(TANKS, at("throttled"));
    const entry = live?.metadata.managedFields?.find(({ manager }) => manager === "reveille-throttled");
    assert.ok(entry?.time);
    assert.equal(seen.at(-1), entry.time);
  });
});
