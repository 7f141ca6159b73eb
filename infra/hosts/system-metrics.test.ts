import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { systemClock } from "../../shared/clock/clock.ts";
import { defineKind } from "../../shared/function/index.ts";
import type { SystemMetrics } from "../../shared/function/metrics.ts";
import { silent } from "../../shared/log/log.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { createMetrics } from "./metrics.ts";

class Toy extends defineKind({
  group: "toys.example",
  version: "v1",
  kind: "Toy",
  scope: "Cluster",
  description: "A toy.",
  fields: { spec: z.object({}) },
}) {}

it("tells a system's metrics with one look a scrape, and none at rest", async () => {
  let looks = 0;
  const toys: SystemMetrics = {
    kind: Toy,
    declared: {
      toys_ready: { help: "1 where the toy is ready", labels: ["name"] },
      toys_all: { help: "All toys", labels: [] },
    },
    open: () => async () => {
      looks += 1;
      return {
        samples: {
          toys_ready: looks === 1 ? [{ labels: { name: "bear" }, value: 1 }] : [],
          toys_all: [{ labels: {}, value: looks }],
        },
        isWhole: true,
      };
    },
  };
  const metrics = createMetrics({ version: "1", host: "worker", clock: systemClock, log: silent });
  metrics.ofSystem(toys, { get: async () => undefined, list: () => assert.fail("it asks nothing itself") });
  assert.equal(looks, 0);
  const lines = async (): Promise<readonly string[]> =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("toys_"));
  assert.deepEqual(await lines(), ['toys_ready{name="bear"} 1', "toys_all 1"]);
  // What a look no longer names is gone.
  assert.deepEqual(await lines(), ["toys_all 2"]);
});

it.each([
  ["is told for a while where all of it could be read", true, 1],
  ["is looked for anew where a part could not be read", false, 2],
])("what took long to find out %s", async (_, isWhole, expected) => {
  const clock = new ManualClock();
  let looks = 0;
  const toys: SystemMetrics = {
    kind: Toy,
    declared: { toys_all: { help: "All toys", labels: [] } },
    open: () => async () => {
      looks += 1;
      clock.advance(1_000);
      return { samples: { toys_all: [{ labels: {}, value: looks }] }, isWhole };
    },
  };
  const metrics = createMetrics({ version: "1", host: "worker", clock, log: silent });
  metrics.ofSystem(toys, { get: async () => undefined, list: () => assert.fail("it asks nothing itself") });
  await metrics.text();
  assert.match(await metrics.text(), new RegExp(`^toys_all ${expected}$`, "m"));
});
