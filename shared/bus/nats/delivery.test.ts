import assert from "node:assert/strict";
import type { NatsConnection } from "@nats-io/transport-node";
import { test } from "vitest";
import { Acknowledger, ackOf, type Reminder } from "./delivery.ts";
import { newsOf, type WorkMessage, workMessageOf } from "./work-message.ts";

const reminder: Reminder = { key: { function: "f", key: "k" }, sort: "due", recordId: "r" };

test("a delay is told in whole nanoseconds: the server takes a fraction for `at once`", () => {
  const sent: string[] = [];
  const connection = {
    isClosed: () => false,
    publish: (_: string, payload: Uint8Array) => void sent.push(new TextDecoder().decode(payload)),
  } as unknown as NatsConnection;
  const acknowledge = new Acknowledger(connection);
  acknowledge.back({ ack: "a" }, 2_345.678_9);
  acknowledge.back({ ack: "a" }, 0.2);
  acknowledge.back(reminder, 1_000);
  assert.deepEqual(sent, ['-NAK {"delay": 2346000000}', "-NAK"]);
});

test("sequence and backlog are read from both forms of reply subjects", () => {
  assert.deepEqual(ackOf("$JS.ACK.work.f-urgent.1.42.7.1700000000.5"), { seq: 42, pending: 5 });
  assert.deepEqual(ackOf("$JS.ACK.hub.ACC.work.f-urgent.1.42.7.1700000000.5.x"), { seq: 42, pending: 5 });
});

test("of a message only what a run has not accounted for is news", () => {
  const waiting = (eventId: string) => ({
    lane: "urgent" as const,
    causes: [{ sort: "own" as const, eventId, type: "t", revives: false, at: "" }],
    causesIncomplete: false,
    notBefore: 0,
    enqueuedAt: 1,
  });
  const message: WorkMessage = {
    version: 1,
    function: "f",
    key: "k",
    parts: [
      { id: "1", seq: 3, waiting: waiting("a") },
      { id: "2", seq: 5, waiting: waiting("b") },
      { id: "3", waiting: waiting("c") },
    ],
  };
  const told = (covered: number) => newsOf(message, 8, covered)?.causes.map(({ eventId }) => eventId);
  assert.deepEqual(told(0), ["a", "b", "c"]);
  assert.deepEqual(told(3), ["b", "c"]);
  assert.deepEqual(told(5), ["c"]);
  assert.equal(told(8), undefined);
});

test("of a part that an earlier version left with an object in it, the object is not read", () => {
  const part = { id: "1", seq: 3, waiting: { causes: [] } };
  const message = { version: 1, function: "f", key: "k", parts: [{ ...part, object: { spec: {} } }] };
  assert.deepEqual(workMessageOf(new TextEncoder().encode(JSON.stringify(message))).parts, [part]);
});
