import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { each } from "../../index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { type Request, wrapClient } from "../../infra/testing/wrapped-client.ts";
import { defaultRetry } from "../../shared/bus/retry.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { apiProbe, ConnectionPool } from "../../shared/kube/client/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { Tank, tank } from "./kinds.ts";
import { at, stage, TANKS } from "./stage.ts";

const NAMES = Array.from({ length: 12 }, (_, index) => `t${index}`);
const level = each(Tank).function({
  name: "level",
  reconcile: ({ self }) => ({
    status: { observedGeneration: self.metadata.generation, level: self.spec.size },
  }),
});

const refusal = (message: string): KubeError => new KubeError("unavailable", message, { request: "GET /" });

/** A connection that can be cut: requests are refused, watches that stand go on, as where only a worker's way is gone. */
function line() {
  const asked = { probes: 0, refused: 0 };
  const is = { cut: false };
  const through = (client: KubeClient): KubeClient =>
    wrapClient(client, async ({ verb }: Request, send) => {
      if (verb === "raw") asked.probes += 1;
      if (!is.cut || verb === "watch") return send();
      asked.refused += 1;
      throw refusal("nothing listens there");
    });
  return { asked, is, through };
}

describe("an API server that is away", () => {
  const api = stage();
  const retry = { ...defaultRetry, initialMilliseconds: 5, maximumMilliseconds: 20, maximumAttempts: 3 };
  const run = async (t: Parameters<typeof api.run>[0], through: (client: KubeClient) => KubeClient) => {
    const client = through(api.client);
    const connections = new ConnectionPool({
      home: { client, probe: apiProbe(client, systemClock), policy: { first: 50, most: 200 } },
      parked: { least: 50, most: 100 },
    });
    t.onTestFinished(() => connections.close());
    const stack = await api.run(t, [level], {
      engineClient: () => client,
      engine: { connections, maximumAttempts: 3, bus: { retry } },
    });
    return { stack, connections };
  };

  it("costs no key an attempt, stops the taking of items, and all is healed after its return", async (t) => {
    const { asked, is, through } = line();
    const { stack, connections } = await run(t, through);
    await stack.settled();
    is.cut = true;
    await stack.apply(NAMES.map((name) => tank(name, { size: 4 })));
    await eventually("it is found away", () => connections.away[0]);
    const { probes } = asked;
    await eventually("it is probed again and again", () => asked.probes >= probes + 4);
    const others = asked.refused - asked.probes;
    await eventually("and again", () => asked.probes >= probes + 6);
    assert.equal(asked.refused - asked.probes, others, "nothing is taken meanwhile");
    const { level: counts } = await stack.engine.bus.counts();
    assert.equal(counts?.dead, 0);
    assert.ok(stack.runs().every(({ outcome, attempt }) => outcome === "away" && attempt === 1));
    is.cut = false;
    await eventually("all are answered", async () => {
      const { items } = await api.client.list(TANKS);
      return items.length === NAMES.length && items.every(({ status }) => status !== undefined);
    });
    await stack.settled();
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
  });

  it("is not what a webhook that fails for one object is: that key alone uses up its attempts", async (t) => {
    const through = (client: KubeClient): KubeClient => ({
      ...wrapClient(client, (_, send) => send()),
      apply: async (resource, place, body, options) => {
        if (place.name === "bad")
          throw refusal('failed calling webhook "tanks.tenant.example.org": connection refused');
        return client.apply(resource, place, body, options);
      },
      patch: async (resource, place, type, body, options) => {
        if (place.name === "bad")
          throw refusal('failed calling webhook "tanks.tenant.example.org": connection refused');
        return client.patch(resource, place, type, body, options);
      },
    });
    const { stack, connections } = await run(t, through);
    await stack.apply([tank("bad", { size: 1 }), ...NAMES.map((name) => tank(name, { size: 4 }))]);
    const dead = await eventually("the one is given up", async () => {
      const [letter] = await stack.engine.bus.deadLetters.list();
      return letter;
    });
    assert.deepEqual([dead.attempts, dead.key.endsWith("/bad")], [3, true]);
    assert.deepEqual(connections.away, []);
    await stack.settled();
    for (const name of NAMES) assert.equal((await api.statusOf(name))?.level, 4);
    assert.equal(await api.statusOf(at("bad").name), undefined);
  });
});
