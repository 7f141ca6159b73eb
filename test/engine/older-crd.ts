import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { defineKind, defineSystem, each } from "../../index.ts";
import { olderCrds } from "../../infra/systems/older-crds.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { leapingClock } from "../../infra/testing/leaping-clock.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/custom-resource-definition.ts";
import { Event } from "../../shared/kube/kinds/event.ts";

const parts = z.object({ a: z.string().optional(), b: z.string().optional() });

/** The kind as this program declares it. */
class Gauge extends defineKind({
  group: "engine.example.org",
  version: "v1",
  kind: "Gauge",
  scope: "Namespaced",
  fields: {
    spec: z.object({
      size: z.int(),
      note: z.string().optional(),
      lock: z.object({ by: z.string().optional(), force: z.boolean().optional() }).optional(),
    }),
  },
  status: z.object({
    level: z.int().optional(),
    trace: z.string().optional(),
    parts: z.record(z.string(), parts).optional(),
    open: z.looseObject({ a: z.string().optional() }).optional(),
  }),
  engineOwned: (it) => ({ lock: it.spec.lock }),
}) {}

/** The same kind as an older release declared it. */
class OlderGauge extends defineKind({
  group: "engine.example.org",
  version: "v1",
  kind: "Gauge",
  scope: "Namespaced",
  fields: {
    spec: z.object({ size: z.int(), lock: z.object({ by: z.string().optional() }).optional() }),
  },
  status: z.object({
    level: z.int().optional(),
    parts: z.record(z.string(), parts.pick({ a: true })).optional(),
    open: z.looseObject({}).optional(),
  }),
}) {}

/** What is small needs only fields that the older release had. */
const gauges = each(Gauge).function({
  name: "gauges",
  reconcile: ({ self: { spec } }) => ({
    status: {
      level: spec.size,
      ...(spec.size > 9 && { trace: "kept", parts: { one: { a: "x", b: "y" } } }),
    },
  }),
});
const system = defineSystem({ name: "gauges", functions: [gauges] });

const GAUGES = resourceOf(Gauge);
const CRDS = resourceOf(CustomResourceDefinition);
const gauge = (name: string, size: number) => ({
  apiVersion: "engine.example.org/v1",
  kind: "Gauge",
  metadata: { name, namespace: "default" },
  spec: { size },
});
const LACKED = ["spec.lock.force", "status.parts{}.b", "status.trace"];

/** What an older CRD in the cluster does to those who write more than it declares, on the local API or the real one. */
export function olderCrdSuite(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`a CRD that lacks fields, on the ${kind} API`, { skip: skip !== false }, () => {
    it("is told with its fields, parks whom it lacks something for, and all is healed once it is renewed", async (t) => {
      const clock = leapingClock();
      const stack = await startStack({ api: kind, systems: [system], clock });
      t.onTestFinished(() => stack.stop());
      const { client } = stack;
      const takesNote = async (): Promise<boolean> => {
        const tried = { ...gauge("tried", 1), spec: { size: 1, note: "x" } };
        try {
          await client.apply(GAUGES, tried.metadata, tried, { fieldManager: "test", dryRun: true });
          return true;
        } catch (thrown) {
          if (thrown instanceof KubeError && thrown.kind === "invalid") return false;
          throw thrown;
        }
      };
      const install = async (of: typeof Gauge | typeof OlderGauge, lacked: readonly string[]) => {
        const crd = crdOf(of);
        await client.apply(CRDS, crd.metadata, { ...crd }, { fieldManager: "reveille", force: true });
        await eventually("the server tells its schema", async () => {
          const [older] = await olderCrds(client, [gauges]);
          return JSON.stringify(older?.fields.toSorted() ?? []) === JSON.stringify(lacked);
        });
        await eventually("it decides by it", async () => (await takesNote()) === (lacked.length === 0));
      };
      const statusOf = async (name: string) =>
        (await client.get(GAUGES, { namespace: "default", name }))?.status;
      const away = async (): Promise<number | undefined> => (await stack.engine.bus.counts()).gauges?.away;
      const runsOf = (name: string) => stack.runs().filter(({ key }) => key.endsWith(`/${name}`));

      await install(OlderGauge, LACKED);
      const [older] = await olderCrds(client, [gauges]);
      assert.equal(older?.crd, "gauges.engine.example.org");

      await stack.apply([gauge("big", 10), gauge("small", 1)]);
      await eventually("the one is answered", async () => (await statusOf("small")) !== undefined);
      await eventually("the other is parked", async () => (await away()) === 1);
      const [first] = runsOf("big");
      assert.equal(first?.outcome, "away");
      assert.equal(first.error?.code, "CRD_LACKS_FIELDS");
      // kube-apiserver walks a map in no order, and stops at the first of its fields that is not declared.
      assert.match(
        first.error.message,
        /declare (\.status\.parts\.one\.b, )?\.status\.trace: apply what `reveille crds` prints/,
      );
      assert.equal(await statusOf("big"), undefined);
      const { items } = await client.list(resourceOf(Event), { namespace: "default" });
      const told = items.filter(({ reason }) => reason === "ReconcileFailed");
      assert.equal(told.length, 1, "its user is told");

      const before = runsOf("big").length;
      clock.leap(31_000);
      await eventually(
        "it is looked at again",
        async () => runsOf("big").length > before && (await away()) === 1,
      );
      assert.ok(
        runsOf("big").every(({ outcome, attempt }) => outcome === "away" && attempt === 1),
        "no attempt is counted",
      );
      assert.ok(
        runsOf("small").every(({ outcome }) => outcome === "done"),
        "nobody else is held up",
      );

      await install(Gauge, []);
      await eventually("it is answered", async () => {
        if ((await away()) === 1) clock.leap(31_000);
        return (await statusOf("big")) !== undefined;
      });
      assert.deepEqual(await statusOf("big"), {
        level: 10,
        trace: "kept",
        parts: { one: { a: "x", b: "y" } },
      });
      assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
    });
  });
}
