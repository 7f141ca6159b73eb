import assert from "node:assert/strict";
import { it } from "vitest";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import type { AwaitedObject } from "../awaited/waits.ts";
import { WaitsHub } from "./waits-hub.ts";

const awaited = (cluster: string, name: string): AwaitedObject => ({
  cluster,
  group: "",
  kind: "ConfigMap",
  namespace: "default",
  name,
  version: "v1",
});
const CLUSTERS = Array.from({ length: 500 }, (_, index) => `home@@runtime:rt-${index}`);

it("asks the bus once for hundreds of clusters, whatever is told meanwhile", async () => {
  const clock = new ManualClock();
  const waits = CLUSTERS.map((cluster) => awaited(cluster, "a"));
  let asked = 0;
  const hub = new WaitsHub(
    {
      waits: async () => {
        asked += 1;
        return [...waits];
      },
      subscribe: () => () => undefined,
    },
    clock,
  );
  const told: (readonly AwaitedObject[] | undefined)[] = [];
  const clusters = CLUSTERS.map((cluster) => hub.of(cluster));
  const [first, second] = clusters;
  assert.ok(first && second);
  first.subscribe({ waits: (objects) => void told.push(objects) });
  for (const [index, cluster] of clusters.entries()) {
    assert.deepEqual(await cluster.waits(), [waits[index]]);
    hub.tell([awaited("home@@runtime:another", `${index}`)]);
  }
  assert.equal(asked, 1);
  const more = awaited(CLUSTERS[0] ?? "", "b");
  hub.tell([more]);
  assert.deepEqual(told, [[more]]);
  assert.equal((await second.waits()).length, 1);
  assert.equal(asked, 1);
  assert.equal((await first.waits()).length, 1);
  assert.equal(asked, 1);
  hub.tell(undefined);
  assert.deepEqual(told.at(-1), undefined);
  await second.waits();
  assert.equal(asked, 2, "something may have been missed");
  clock.advance(15_000);
  await second.waits();
  assert.deepEqual(
    [await first.waits(), asked],
    [[waits[0]], 3],
    "what nobody waits for any more is left out",
  );
});
