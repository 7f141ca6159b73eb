import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { resourceOf } from "../../shared/kube/kind.ts";
import { installKinds } from "../testing/stack.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { gears } from "./gear.ts";
import { Factor } from "./gear-kinds.ts";
import { GearLoad } from "./load.ts";

/** Of the stream's chances: the namespace north, then a Factor. */
const FACTOR_IN_NORTH = 0;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ api: "local", controllers: false });
  await installKinds(api.client, [gears]);
});
afterAll(() => api.stop());

test("no stream takes a Factor back to what an earlier one gave it", async () => {
  const load = new GearLoad(api.client);
  await load.prepare();
  const values: number[] = [];
  for (let stream = 0; stream < 2; stream++) {
    const over = new AbortController();
    await load.stream(
      over.signal,
      () => FACTOR_IN_NORTH,
      async () => {
        const factor = await api.client.get(resourceOf(Factor), { namespace: "north", name: "factor" });
        values.push((factor as Factor | undefined)?.spec.value ?? Number.NaN);
        if (values.length % 3 === 0) over.abort();
      },
    );
  }
  assert.deepEqual(values, [3, 4, 5, 6, 7, 8]);
});
