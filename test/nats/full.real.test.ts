import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { silent } from "../../shared/log/log.ts";
import { fillAndConsume } from "../bus-contract/full-bus.ts";

const F = "widget";

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
    const { all, looked, runs } = await fillAndConsume(bus);
    await eventually("each key was looked at", () => looked.size === all, 120_000).catch((thrown) => {
      throw new Error(`${looked.size} of ${all} keys were looked at in ${runs()} runs`, { cause: thrown });
    });
    await eventually("the bus takes items again", () => bus.ready());
    assert.deepEqual(await bus.deadLetters.list(), []);
    await eventually("nothing is left", async () => Object.keys(await bus.counts()).length === 0);
  });
});
