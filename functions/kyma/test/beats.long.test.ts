import assert from "node:assert/strict";
import { onTestFinished, test } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Lease } from "../../../shared/kube/kinds/index.ts";
import { CONTROL_PLANE, Kyma } from "../kinds/index.ts";
import { startStage } from "./stage.ts";
import { beat, condition, leaseOf, program, send, watchedRuntime } from "./watching.ts";

const started = async () => {
  const s = await startStage({ api: "local", target: "secret" });
  onTestFinished(() => s.stop());
  await watchedRuntime(s);
  return s;
};

test("a hundred signs of life wake nothing and write nothing; a host's Lease alone is renewed", async () => {
  const s = await started();
  const { beat: beats } = program(s);
  await beats();
  assert.equal((await condition(s, "Watch"))?.status, "True");
  await s.leap(1);
  await beats();
  const published: Envelope[] = [];
  onTestFinished(s.stack.engine.bus.subscribe({ published: (event) => void published.push(event) }));
  /** The versions of all that signs of life could touch. */
  const versions = async () =>
    (
      await Promise.all(
        [resourceOf(Kyma), resourceOf(Lease)].map(
          async (resource) => (await s.stack.client.list(resource, { namespace: CONTROL_PLANE })).items,
        ),
      )
    )
      .flat()
      .map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`);
  const [before, runs] = [await versions(), s.stack.runs().length];
  s.asked();
  for (let minute = 0; minute < 10; minute++) {
    await s.leap(1);
    for (let count = 0; count < 10; count++) assert.equal(await beats({ settle: false }), 202);
  }
  await s.settled();
  assert.deepEqual([published, s.stack.runs().length - runs, s.asked()], [[], 0, []]);
  assert.deepEqual(await versions(), before);
  await s.leap(4);
  assert.equal((await condition(s, "Watch"))?.status, "False");
  assert.ok(published.some(({ type }) => type === "runtime.changed"));
});

test("a runtime whose host ended is silent once the next one knows, and heard without news where it beats on", async () => {
  const s = await started();
  const { beat: beats } = program(s);
  await beats();
  const stored = await leaseOf(s);
  await s.hearing.stop();
  await s.leap(1);
  await beats();
  assert.equal((await leaseOf(s))?.metadata.resourceVersion, stored?.metadata.resourceVersion);
  await s.hearing.stop();
  await s.hearing.ear();
  for (let minute = 0; minute < 6; minute++) await s.leap(1);
  assert.equal((await condition(s, "Watch"))?.status, "False");
});

test("a runtime is followed while it is silent, and no longer", async () => {
  const s = await started();
  /** The kinds that are waited for in the runtime because nobody tells of their changes. */
  const followed = async (): Promise<readonly string[]> => [
    ...new Set(
      (await s.stack.engine.bus.waits())
        .filter(({ cluster, kind }) => cluster?.includes("rt-1") && kind !== "Deployment")
        .map(({ kind }) => kind),
    ),
  ];
  const { beat: beats } = program(s);
  await beats();
  assert.deepEqual(await followed(), []);
  for (let minute = 0; minute < 4; minute++) await s.leap(1);
  assert.equal((await condition(s, "Watch"))?.status, "False");
  assert.deepEqual([...(await followed())].sort(), ["CustomResourceDefinition", "Kyma"]);
  await beats();
  assert.equal((await condition(s, "Watch"))?.status, "True");
  assert.deepEqual(await followed(), []);
});

test("a runtime speaks of itself alone", async () => {
  const s = await started();
  await s.wants({}, { name: "rt-2", labels: { "kyma-project.io/runtime-id": "runtime-4712" } });
  assert.equal(
    await send(s, {
      beat: { number: 1, after: 0, seconds: 60 },
      runtimeId: "runtime-4712",
      sender: "runtime-4712",
    }),
    202,
  );
  assert.equal((await condition(s, "Watch"))?.status, "True");
  assert.notEqual((await s.says("rt-2")).conditions?.find(({ type }) => type === "Watch")?.status, "True");
  await beat(s);
});
