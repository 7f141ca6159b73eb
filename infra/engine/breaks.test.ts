import assert from "node:assert/strict";
import { test } from "vitest";
import * as z from "zod";
import type { BusListener } from "../../shared/bus/contract.ts";
import type { NewItem } from "../../shared/bus/item.ts";
import { defineSystem, each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { manualClock } from "../testing/settling-clock.ts";
import { keptLog } from "../testing/watched-cluster.ts";
import { Breaks } from "./breaks.ts";
import { signaturesOf } from "./signatures.ts";

const config = z.object({ level: z.int().default(1) });
const systemsOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    defineSystem({
      name: `cisterns-${index}`,
      config,
      functions: [each(ConfigMap).function({ name: `cisterns-${index}`, config, reconcile: () => ({}) })],
    }),
  );

const configurationOf = (count: number, level: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`cisterns-${index}`, { level }]));

/** A bus that may refuse, and a watcher that leads and keeps what it says in the Lease. */
function world(
  options: { readonly level?: number; readonly version?: string; readonly functions?: number } = {},
) {
  const { level = 1, version = "1.0.0", functions = 2 } = options;
  const clock = manualClock();
  const systems = systemsOf(functions);
  const signatures = signaturesOf({ systems, configuration: configurationOf(functions, level), version });
  const breaks = new Breaks({ cluster: "c", systems, signatures, clock, log: keptLog([]) });
  const swept: string[] = [];
  const listeners: BusListener[] = [];
  const state = { leads: true, refuses: false, storeId: "one", said: undefined as string | undefined };
  breaks.start({
    bus: {
      storeId: async () => state.storeId,
      enqueue: async (items: readonly NewItem[]) => {
        if (state.refuses) throw new Error("full");
        swept.push(...items.map((item) => `${item.function} ${item.cause.type} ${item.lane}`));
      },
      ready: () => !state.refuses,
      subscribe: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    },
    watcher: { position: () => ({ leader: state.leads }) as never },
    publishesFor: (text) => {
      state.said = text;
    },
  });
  const look = async (): Promise<readonly string[]> => {
    await clock.settle();
    await breaks.stop();
    return swept;
  };
  return { breaks, clock, state, swept, listeners, look };
}

/** What a leader said when it published for these. */
async function saidBy(options: Parameters<typeof world>[0]): Promise<string> {
  const { breaks, state, look } = world(options);
  breaks.led({ for: undefined, nothing: true });
  assert.deepEqual(await look(), []);
  assert.ok(state.said !== undefined);
  return state.said;
}

const SWEPT = ["cisterns-0 function.changed sweep", "cisterns-1 function.changed sweep"];

test("the first leader of a cluster sweeps nothing, and says what it publishes for", async () => {
  assert.match(await saidBy({}), /"cisterns-0"/);
});

test("a leader that publishes for the same sweeps nothing", async () => {
  const { breaks, look } = world();
  breaks.led({ for: await saidBy({}), nothing: false });
  assert.deepEqual(await look(), []);
});

for (const [what, options] of [
  ["another configuration", { level: 2 }],
  ["another version", { version: "1.0.1" }],
] as const)
  test(`a leader with ${what} sweeps, and says so afterwards`, async () => {
    const { breaks, state, look } = world(options);
    breaks.led({ for: await saidBy({}), nothing: false });
    assert.deepEqual(await look(), SWEPT);
    assert.equal(state.said, await saidBy(options));
  });

test("a function that is new is swept alone", async () => {
  const { breaks, look } = world({ functions: 2 });
  breaks.led({ for: await saidBy({ functions: 1 }), nothing: false });
  assert.deepEqual(await look(), ["cisterns-1 function.changed sweep"]);
});

for (const [what, said] of [
  ["nothing", undefined],
  ["what cannot be read", "{"],
  ["something else", "[1]"],
] as const)
  test(`a Lease that is there and says ${what} is a break`, async () => {
    const { breaks, look } = world();
    breaks.led({ for: said, nothing: false });
    assert.deepEqual(await look(), SWEPT);
  });

test("another bus is a break for all", async () => {
  const { breaks, state, look } = world();
  state.storeId = "two";
  breaks.led({ for: await saidBy({}), nothing: false });
  assert.deepEqual(await look(), ["cisterns-0 bus.replaced sweep", "cisterns-1 bus.replaced sweep"]);
});

test("what could not be enqueued is not said, and is enqueued once the bus takes it", async () => {
  const { breaks, clock, state, swept } = world({ level: 2 });
  state.refuses = true;
  breaks.led({ for: await saidBy({}), nothing: false });
  await clock.advance(60_000);
  assert.deepEqual(swept, []);
  assert.equal(state.said, undefined);
  state.refuses = false;
  await clock.advance(10_000);
  assert.deepEqual(swept, SWEPT);
  assert.ok(state.said !== undefined);
});

test("who does not lead neither sweeps nor says anything", async () => {
  const { state, listeners, clock, swept } = world();
  state.leads = false;
  for (const listener of listeners) listener.replaced?.();
  await clock.advance(60_000);
  assert.deepEqual(swept, []);
  assert.equal(state.said, undefined);
});

test("more functions than a Lease can name are told as one", async () => {
  const said = await saidBy({ functions: 2000 });
  assert.ok(said.length < 200, said.slice(0, 200));
  const same = world({ functions: 2000 });
  same.breaks.led({ for: said, nothing: false });
  assert.deepEqual(await same.look(), []);
  const other = world({ functions: 2000, level: 2 });
  other.breaks.led({ for: said, nothing: false });
  assert.equal((await other.look()).length, 2000);
});

test("what was looked at by whoever brought other functions is not swept again", async () => {
  const { breaks, state, swept, listeners, clock } = world();
  breaks.led({ for: await saidBy({}), nothing: false });
  await clock.advance(10_000);
  const systems = systemsOf(2);
  const signatures = signaturesOf({ systems, configuration: configurationOf(2, 3), version: "1.0.0" });
  breaks.use({ systems, signatures });
  assert.equal(state.said, await saidBy({ level: 3 }));
  for (const listener of listeners) listener.replaced?.();
  await clock.advance(10_000);
  assert.deepEqual(swept, []);
});
