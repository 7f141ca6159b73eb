import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { call, definePort, defineSystem, each, TerminalError } from "../../index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { CallOptions } from "../../shared/function/index.ts";
import { objectKey } from "../../shared/function/key.ts";
import { configuredFunctions } from "../../shared/host/configuration.ts";
import { dryRun } from "../../shared/host/console/dry-run.ts";
import { Tank, tank } from "./kinds.ts";
import { at, stage, TANKS } from "./stage.ts";

const NOW = "2026-01-15T10:00:00.000Z";

interface Prices {
  priceOf(size: number): Promise<number>;
}
interface Orders {
  readonly order: (size: number, options: CallOptions) => Promise<{ readonly number: string }>;
}
const shop = definePort("shop").of<Prices, Orders>();

/** Remembers what was ordered: the same key is the same order. */
function memoryShop(price = 3) {
  const orders = new Map<string, string>();
  return {
    orders,
    asked: 0,
    priceOf: async (size: number) => size * price,
    async order(size: number, { key }: CallOptions) {
      this.asked += 1;
      const number = orders.get(key) ?? `order ${orders.size + 1} of ${size}`;
      orders.set(key, number);
      return { number };
    },
  };
}

const buyer = each(Tank).function({
  name: "buyer",
  uses: [shop],
  observe: async ({ self, use }) => ({ price: await use(shop).priceOf(self.spec.size) }),
  reconcile: ({ self, price }) => {
    if (self.status?.level === undefined) return { status: { level: price }, again: true };
    const order = call(shop, "order", self.spec.size, { key: self.metadata.uid });
    return {
      effects: order,
      conclude: (results) => {
        const ordered = results(order);
        return {
          status: {
            level: price,
            ...(ordered.state === "done" && { note: ordered.value.number }),
            ...(ordered.state === "failed" && { error: `${ordered.error.code}: ${ordered.error.message}` }),
          },
        };
      },
    };
  },
});

describe("ports, on the local API", () => {
  const api = stage();
  const { run, statusOf } = api;

  it("are read in observe and called as an effect, whose answer has its type", async (t) => {
    const behind = memoryShop();
    const stack = await run(t, [buyer], { engine: { ports: [shop.bind(behind)] } });
    await stack.apply(tank("buys", { size: 4 }));
    await stack.settled();
    assert.deepEqual(await statusOf("buys"), { level: 12, note: "order 1 of 4" });
    await stack.everyKeyOnce();
    assert.equal(behind.orders.size, 1, "a second call finds the first");
    assert.ok(behind.asked > 1);
    const uid = (await api.client.get(TANKS, at("buys")))?.metadata.uid;
    assert.ok(
      stack.runs().some(({ writes }) => writes.some(({ subject }) => subject === `shop/order//${uid}`)),
    );
  });

  it("come from the system, by its configuration, unless whoever starts it says otherwise", async (t) => {
    const system = defineSystem({
      name: "shopping",
      functions: [buyer],
      config: z.object({ price: z.number().default(2) }),
      ports: ({ price }) => [shop.bind(memoryShop(price))],
    });
    const stack = await run(t, system, { configuration: { shopping: { price: 5 } } });
    await stack.apply(tank("configured", { size: 2 }));
    await stack.settled();
    assert.equal((await statusOf("configured"))?.level, 10);
  });

  it("refuse to start where nothing stands behind them", async (t) => {
    await assert.rejects(
      run(t, [buyer]),
      (error: { code: string; message: string }) =>
        error.code === "PORT_UNBOUND" && /buyer uses the port "shop".*shop\.bind/.test(error.message),
    );
  });

  it("show their errors as results: terminal ones for good", async (t) => {
    const closed = {
      ...memoryShop(),
      order: async () => {
        throw new TerminalError("The shop is closed.", { code: "SHOP_CLOSED" });
      },
    };
    const stack = await run(t, [buyer], { engine: { ports: [shop.bind(closed)] } });
    await stack.apply(tank("closed", { size: 1 }));
    await stack.settled();
    assert.equal((await statusOf("closed"))?.error, "SHOP_CLOSED: The shop is closed.");
  });

  it("are called by no dry run", async (t) => {
    const behind = memoryShop();
    const stack = await run(t, [], { engine: { ports: [] } });
    await stack.apply({ ...tank("dry", { size: 2 }) });
    const systems = [defineSystem({ name: "dry", functions: [buyer] })];
    const [dry] = await dryRun(
      {
        function: "buyer",
        key: objectKey(Tank, { cluster: stack.cluster, ...at("dry") }),
        lane: "urgent",
        cause: { sort: "command", eventId: "dry", type: "command.reconcile", revives: true, at: NOW },
      },
      {
        functions: configuredFunctions(systems, {}, [shop.bind(behind)]),
        client: api.client,
        cluster: stack.cluster,
        clock: systemClock,
      },
      new AbortController().signal,
    );
    assert.equal(dry?.decided?.outcome, "done");
    assert.equal(behind.asked, 0);
    assert.match(JSON.stringify(dry?.diff), /status\.level/);
    assert.equal(await statusOf("dry"), undefined);
  });
});
