import assert from "node:assert/strict";
import { JetStreamApiError, type JetStreamManager } from "@nats-io/jetstream";
import { test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { silent } from "../../log/log.ts";
import { Janitor } from "./janitor.ts";
import { Names } from "./names.ts";
import type { Wire } from "./wire.ts";

/** A server with these messages in the lane of urgent work, which says what its consumer has acknowledged. */
function server(
  messages: Set<number>,
  said: { floor: number; fails?: Error | undefined; denied?: string },
  functions: readonly string[] = ["widget"],
) {
  let asked = 0;
  const manager = {
    streams: {
      info: async () => ({ state: { last_seq: Math.max(...messages) } }),
      deleteMessage: async (_stream: string, seq: number) => messages.delete(seq),
    },
    consumers: {
      info: async (_stream: string, name: string) => {
        asked += 1;
        if (said.fails !== undefined) throw said.fails;
        if (said.denied !== undefined && name.startsWith(said.denied))
          throw new Error("Permissions Violation for Publish");
        if (name.endsWith("sweep"))
          throw new JetStreamApiError({ code: 404, err_code: 10014, description: "consumer not found" });
        return { ack_floor: { stream_seq: said.floor } };
      },
    },
  };
  const wire = {
    async *list() {
      for (const seq of [...messages].sort((one, other) => one - other)) yield { seq };
    },
  };
  const clock = new ManualClock();
  const janitor = new Janitor(
    {
      manager: manager as unknown as JetStreamManager,
      wire: wire as unknown as Wire,
      names: new Names("reveille"),
      log: silent,
      clock,
    },
    functions,
  );
  return { janitor, clock, asked: () => asked };
}

test("what was acknowledged apart from work that waits is deleted once that work is done", async () => {
  const messages = new Set([3, 5, 8]);
  const said = { floor: 4 };
  const { janitor, clock } = server(messages, said);
  janitor.look();
  await eventually("what lies below the floor is gone", () => !messages.has(3));
  assert.deepEqual([...messages], [5, 8]);
  // Work that came later is nobody's who was brought back.
  messages.delete(5);
  messages.add(12);
  said.floor = 20;
  await eventually("the other is gone, too", () => {
    clock.advance(60_000);
    return !messages.has(8);
  });
  assert.deepEqual([...messages], [12]);
});

test("a look that fails is repeated, until it is closed", async () => {
  const messages = new Set([3]);
  const said = { floor: 4, fails: new Error("away") as Error | undefined };
  const { janitor, clock, asked } = server(messages, said);
  janitor.look();
  await eventually("it was looked again", () => {
    clock.advance(60_000);
    return asked() > 2;
  });
  said.fails = undefined;
  await eventually("it is gone", () => {
    clock.advance(60_000);
    return messages.size === 0;
  });
  messages.add(2);
  said.fails = new Error("away");
  const before = asked();
  janitor.look();
  await eventually("it looks", () => asked() > before);
  janitor.close();
  const then = asked();
  clock.advance(600_000);
  assert.equal(asked(), then);
});

test("a function whose work nobody here may look at keeps no other from being looked at", async () => {
  const messages = new Set([3]);
  const { janitor, clock, asked } = server(messages, { floor: 4, denied: "denied" }, ["denied", "widget"]);
  janitor.look();
  await eventually("all lanes were looked at", () => asked() === 4);
  assert.deepEqual([...messages], []);
  clock.advance(600_000);
  assert.equal(asked(), 4, "there is nothing to look at again");
});
