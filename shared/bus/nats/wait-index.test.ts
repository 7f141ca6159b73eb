import assert from "node:assert/strict";
import type { Msg } from "@nats-io/transport-node";
import { test } from "vitest";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { silent } from "../../log/log.ts";
import { Foreign } from "./foreign.ts";
import { Names } from "./names.ts";
import { WaitIndex } from "./wait-index.ts";
import type { Stored, Wire } from "./wire.ts";

const HOUR = 3_600_000;

/** A stream that keeps the newest message of each subject. */
function stream() {
  const messages = new Map<string, Stored>();
  let seq = 0;
  let reads = 0;
  const wire: Pick<Wire, "list" | "request" | "store"> = {
    store: async (subject, payload) => {
      seq += 1;
      messages.delete(subject);
      messages.set(subject, { subject, seq, body: new TextEncoder().encode(payload), time: "" });
      return { seq } as Awaited<ReturnType<Wire["store"]>>;
    },
    request: async () => {
      const newest = [...messages.values()].at(-1);
      const answer = newest === undefined ? { error: { err_code: 10037 } } : { message: { seq: newest.seq } };
      return { json: () => answer } as Msg;
    },
    async *list(_stream, _subject, { from = 1 } = {}) {
      for (const message of messages.values())
        if (message.seq >= from) {
          reads += 1;
          yield message;
        }
    },
  };
  return {
    wire,
    messages,
    take: () => {
      const before = reads;
      reads = 0;
      return before;
    },
  };
}

const names = new Names("reveille");
const waitFor = (name: string) => ({ cluster: "c", group: "", kind: "Secret", name, version: "v1" });
const key = (name: string) => ({ function: "f", key: name });

test("an end of a wait that is told no more is known to who looks again after hours", async () => {
  const { wire, messages, take } = stream();
  const clock = new ManualClock();
  const host = new WaitIndex(wire, names, new Foreign(silent), clock);
  const publisher = new WaitIndex(wire, names, new Foreign(silent), clock);
  for (const name of ["one", "two", "three"]) await host.set(key(name), [waitFor(name)]);
  assert.equal((await publisher.followed()).length, 3);
  assert.equal(take(), 3);
  await host.set(key("two"), []);
  messages.delete(names.waitsOf(key("two")));
  await host.set(key("three"), [waitFor("four")]);
  assert.equal((await publisher.followed()).length, 3, "it has read news alone");
  assert.equal(take(), 1);
  clock.advance(HOUR);
  assert.deepEqual((await publisher.followed()).map(({ name }) => name).sort(), ["four", "one"]);
  assert.equal(take(), 2);
  await publisher.caughtUp();
  assert.equal(take(), 0, "and all is known again");
});
