import assert from "node:assert/strict";
import { it, onTestFinished } from "vitest";
import { admission, allow, defineSystem } from "../../../shared/function/index.ts";
import { heardLeases } from "../../../shared/host/beats/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Lease } from "../../../shared/kube/kinds/index.ts";
import { emptyConfigurations, register, webhookConfigurations } from "../../systems/webhooks.ts";
import { startTestApi } from "../../testing/test-api.ts";
import { Toy } from "../../testing/toy-system.ts";
import { isWebhook, labelledObjects } from "./left-behind.ts";

const system = defineSystem({
  name: "toys",
  functions: [],
  admissions: [admission("toy-check", Toy, ["create"]).function({ admit: () => allow() })],
});

it("finds the webhooks that would refuse every write while nobody answers", async () => {
  const api = await startTestApi({ api: "local", controllers: false });
  onTestFinished(() => api.stop());
  await register(api.client, webhookConfigurations([system], { at: { url: "https://127.0.0.1:1" } }));
  const found = await labelledObjects(api.client);
  assert.deepEqual(
    found.filter(isWebhook).map(({ object }) => object.metadata.name),
    emptyConfigurations([system]).map(({ metadata }) => metadata.name),
  );
});

it("finds the Leases in which hosts said whom they heard, and no other", async () => {
  const api = await startTestApi({ api: "local", controllers: false });
  onTestFinished(() => api.stop());
  const [lease = assert.fail("it is there")] = heardLeases("one", "default", 0, new Map());
  const other = { ...lease, metadata: { name: "another", namespace: "default" } };
  for (const one of [lease, other])
    await api.client.create(resourceOf(Lease), one, { fieldManager: "tester" });
  const found = (await labelledObjects(api.client)).filter(({ resource }) => resource.kind === "Lease");
  assert.deepEqual(
    found.map(({ object }) => object.metadata.name),
    ["reveille-beats-one-0"],
  );
});
