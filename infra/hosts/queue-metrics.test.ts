import assert from "node:assert/strict";
import { it } from "vitest";
import { noCounts } from "../../shared/bus/counts-of.ts";
import { silent } from "../../shared/log/log.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { createMetrics } from "./metrics.ts";

it("counts that took long to find out are told for a while, and whether the bus is ready is asked each time", async () => {
  const clock = new ManualClock();
  let [asked, isReady, isAway] = [0, true, false];
  const metrics = createMetrics({ version: "1", host: "worker", clock, log: silent });
  const counts = async () => {
    asked += 1;
    clock.advance(1_000);
    if (isAway) throw new Error("away");
    return { greet: { ...noCounts, waiting: asked } };
  };
  metrics.ofBus({ counts, ready: () => isReady, subscribe: () => () => undefined }, ["greet"]);
  /** Whether the bus is up, and how many items wait. */
  const scrape = async (): Promise<readonly (string | undefined)[]> => {
    const text = await metrics.text();
    return [/^reveille_bus_up (\d)$/m, /^reveille_items\{function="greet",state="waiting"\} (\d+)$/m].map(
      (line) => line.exec(text)?.[1],
    );
  };
  assert.deepEqual(
    [await scrape(), await scrape()],
    [
      ["1", "1"],
      ["1", "1"],
    ],
  );
  isReady = false;
  assert.deepEqual(await scrape(), ["0", undefined]);
  isReady = true;
  clock.advance(30_000);
  assert.deepEqual(await scrape(), ["1", "2"]);
  isAway = true;
  clock.advance(30_000);
  assert.deepEqual(await scrape(), ["0", undefined]);
  isAway = false;
  assert.deepEqual(await scrape(), ["1", "4"], "no later scrape has the answer that failed");
});
