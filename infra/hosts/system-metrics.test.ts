import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { systemClock } from "../../shared/clock/clock.ts";
import { defineKind } from "../../shared/function/index.ts";
import type { SystemMetrics } from "../../shared/function/metrics.ts";
import { silent } from "../../shared/log/log.ts";
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
        toys_ready: looks === 1 ? [{ labels: { name: "bear" }, value: 1 }] : [],
        toys_all: [{ labels: {}, value: looks }],
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
