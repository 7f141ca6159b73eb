import assert from "node:assert/strict";
import { test } from "vitest";
import { resourceOf } from "../../shared/kube/kind.ts";
import { leapingClock } from "./leaping-clock.ts";
import { type Stack, startStack } from "./stack.ts";
import { Toy, toySystem } from "./toy-system.ts";
import { wrapClient } from "./wrapped-client.ts";

test("a stack has not settled while a watch that a leap ended is opened again", async (t) => {
  const clock = leapingClock();
  const gate = Promise.withResolvers<void>();
  let opened = Promise.resolve();
  const stack = await startStack({
    api: "local",
    systems: [toySystem],
    clock,
    engineClient: (client) =>
      wrapClient(client, async ({ verb }, send) => {
        if (verb === "watch") await opened;
        return send();
      }),
  });
  t.onTestFinished(async () => {
    gate.resolve();
    await stack.stop();
  });
  await stack.settled();
  opened = gate.promise;
  // Many more looks than it takes where nothing happens.
  onLook(stack, 100, gate.resolve);
  clock.leap(90 * 60_000);
  const at = { name: "bear", namespace: "default" };
  await stack.apply([
    {
      apiVersion: "toys.example.org/v1",
      kind: "Workshop",
      metadata: { name: "north" },
      spec: { open: true },
    },
    { apiVersion: "toys.example.org/v1", kind: "Toy", metadata: at, spec: { workshop: "north" } },
  ]);
  await stack.settled();
  assert.deepEqual((await stack.client.get(resourceOf(Toy), at))?.status, { made: true });
});

/** Calls back at that look at what waits. */
function onLook({ engine: { bus } }: Stack, number: number, deed: () => void): void {
  const counts = bus.counts.bind(bus);
  let looks = 0;
  bus.counts = () => {
    looks += 1;
    if (looks === number) deed();
    return counts();
  };
}
