import assert from "node:assert/strict";
import { type TestContext, test } from "vitest";
import { servedWebhooks } from "../../../infra/testing/webhooks.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { startStage, tag } from "./stage.ts";

/** A stack whose source is polled every five minutes, of which none pass, beside a server that takes webhooks as `serve` does. */
async function scene(t: TestContext) {
  const s = await startStage({ api: "local" });
  t.onTestFinished(() => s.stop());
  const sent = await servedWebhooks(s.stack.engine.bus, systemClock);
  t.onTestFinished(() => sent.stop());
  const settled = async (answer: Promise<number>): Promise<number> => {
    const status = await answer;
    await s.settled();
    return status;
  };
  await s.publish("v1");
  await s.wants({});
  assert.deepEqual(await s.there(), ["v1"]);
  const asked = () => s.source.asked.filter((question) => question === "list default").length;
  return { s, sent, settled, asked };
}

test("a signed webhook of GitHub has the newest release offered at once, and a forged one wakes nobody", async (t) => {
  const { s, sent, settled, asked } = await scene(t);
  await s.publish("v2");
  const before = asked();
  assert.equal(await settled(sent.forged.github("acme/stacks", tag("v2"))), 401);
  assert.deepEqual([await s.there(), asked()], [["v1"], before]);
  assert.equal(await settled(sent.github("acme/stacks", tag("v2"))), 202);
  await s.until("v2 to be there", async () => (await s.there()).includes("v2"));
  assert.equal(asked(), before + 1, "the source is asked once");
  await s.until("v2 to be ready", async () => (await s.release("v2"))?.status?.ready === true);
});

test("a registry's notification has a missing release read at once, and one without its token wakes nobody", async (t) => {
  const { s, sent, settled, asked } = await scene(t);
  const host = "registry.example.org";
  await s.wants({ versions: ["v7"], autoSubscribe: false });
  const attempts = async () => (await s.release("v7"))?.status?.attempts;
  assert.equal(await attempts(), 1, "its next try is minutes away");
  s.source.put(tag("v7"), await releaseFiles(tag("v7")));
  assert.equal(await settled(sent.forged.push(host, "acme/stacks", tag("v7"))), 401);
  assert.equal(await attempts(), 1);
  const before = asked();
  assert.equal(await settled(sent.push(host, "acme/stacks", tag("v7"))), 202);
  await s.until("v7 to be ready", async () => (await s.release("v7"))?.status?.ready === true);
  assert.equal(await settled(sent.push(host, "acme/stacks", "docker-other-1-27-v3")), 202);
  assert.equal(asked(), before, "a release of another stack has nobody ask");
});
