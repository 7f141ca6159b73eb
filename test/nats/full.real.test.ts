import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { BusError } from "../../shared/bus/errors.ts";
import type { NewItem, WorkItem } from "../../shared/bus/item.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { silent } from "../../shared/log/log.ts";
import { done, item } from "../bus-contract/fixture.ts";

const F = "widget";
const DEPENDANTS = 900;

describe("a work stream at its limit", { skip: skipWithoutNats() !== false }, () => {
  test("is emptied by its own workers while sweeps find more than it holds, and each dependant is looked at", async (t) => {
    const server = await startNatsServer();
    t.onTestFinished(() => server.stop());
    const bus = await openNatsBus({
      nats: natsOptions.parse({ servers: [server.url], maximumBytes: 256 * 1024 }),
      functions: [F],
      route: () => [],
      log: silent,
      clock: systemClock,
    });
    t.onTestFinished(() => bus.close());
    const sweepOf = (name: string): NewItem =>
      item(name, {}, "sweep", {
        sweep: {
          wake: 0,
          subject: { cluster: "c", name },
          facts: [{ value: 1 }],
          gone: false,
          incomplete: false,
        },
      });
    const sweeps = ["s1", "s2"];
    await bus.enqueue(sweeps.map(sweepOf));
    let filled = 0;
    await assert.rejects(
      async () => {
        for (;;) {
          await bus.enqueue([item(`k${filled}`)]);
          filled += 1;
        }
      },
      (thrown) => thrown instanceof BusError && thrown.code === "BUS_FULL",
    );
    assert.equal(bus.ready(), false);
    const looked = new Set<string>();
    let swept = 0;
    const work = async ({ item: of }: { readonly item: WorkItem }) => {
      if (of.sweep === undefined) {
        looked.add(of.key);
        return done(of);
      }
      swept += 1;
      const found = Array.from({ length: DEPENDANTS }, (_, n) => item(`${of.key}-d${n}`, {}, "sweep"));
      return done(of, { enqueue: found });
    };
    // As many slots as sweeps.
    bus.consume({ parallel: sweeps.length }, work);
    const all = filled + sweeps.length * DEPENDANTS;
    await eventually("each key was looked at", () => looked.size === all, 120_000).catch((thrown) => {
      throw new Error(`${looked.size} of ${all} keys were looked at in ${swept} sweeps`, { cause: thrown });
    });
    await eventually("the bus takes items again", () => bus.ready(), 20_000);
    assert.deepEqual(await bus.deadLetters.list(), []);
    await eventually("nothing is left", async () => Object.keys(await bus.counts()).length === 0, 20_000);
  });
});
