import assert from "node:assert/strict";
import { it } from "vitest";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CONTROL_PLANE, Kyma, Manifest } from "../kinds/index.ts";
import { alphaStore } from "./alpha-store.ts";
import { startStage } from "./stage.ts";

const LONG = { name: `${"a".repeat(40)}.${"b".repeat(40)}`, namespace: CONTROL_PLANE };

for (const target of ["local", "secret"] as const)
  it(`a Kyma whose name no label can hold says so, and can be deleted (${target})`, async (t) => {
    const s = await startStage({ api: "local", target });
    t.onTestFinished(() => s.stop());
    await s.publish(alphaStore("1.0.0"));
    await s.release("alpha-store", { regular: "1.0.0" });
    await s.wants({ modules: [{ name: "alpha-store" }] }, { name: LONG.name });
    const { state, lastOperation } = await s.says(LONG.name);
    assert.equal(state, "Error");
    assert.match(lastOperation?.operation ?? "", /has more than 63 characters/);
    assert.deepEqual(await s.list(Manifest, CONTROL_PLANE), []);
    await s.stack.client.delete(resourceOf(Kyma), LONG, { uid: undefined });
    await s.until("it to be gone", async () => (await s.get(Kyma, LONG)) === undefined);
  });
