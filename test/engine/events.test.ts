import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { defineEvent, defineSystem, each, emit, on } from "../../index.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Pump, pump, Tank, tank } from "./kinds.ts";

const filled = defineEvent(
  "tank.filled",
  z.object({ name: z.string(), size: z.int() }),
  ({ name, size }) => `${name} ${size}`,
);

it("an event without a home wakes whoever it concerns, and is refused where it is not as declared", async (t) => {
  const tanks = each(Tank).function({
    name: "tanks",
    emits: [filled],
    reconcile: ({ self }) => ({
      effects: emit(filled, { name: self.metadata.name, size: self.spec.size > 90 ? 0.5 : self.spec.size }),
      status: { level: self.spec.size },
    }),
  });
  let woken = 0;
  const pumps = each(Pump).function({
    name: "pumps",
    wakes: [on(filled).toEach((it, event) => it.metadata.name === event.name && event.size > 5)],
    reconcile: () => {
      woken += 1;
      return { status: { running: woken > 1 } };
    },
  });
  const stack = await startStack({
    api: "local",
    systems: [defineSystem({ name: "test", functions: [tanks, pumps] })],
  });
  t.onTestFinished(() => stack.stop());
  const running = async () =>
    (await stack.client.get(resourceOf(Pump), { namespace: "default", name: "a" }))?.status;
  await stack.apply(pump("a", 1));
  await stack.settled();
  await stack.apply([tank("a", { size: 3 }), tank("b", { size: 8 })]);
  await stack.settled();
  assert.deepEqual(await running(), { running: false });
  await stack.apply(tank("a", { size: 7 }));
  await stack.settled();
  assert.deepEqual(await running(), { running: true });

  await stack.apply(tank("c", { size: 99 }));
  await stack.settled();
  const letters = await stack.engine.bus.deadLetters.list();
  assert.match(
    letters.find(({ function: name }) => name === "tanks")?.error.message ?? "",
    /tank\.filled was refused: data\.size/,
  );
});
