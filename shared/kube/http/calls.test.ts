import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { type Call, Calls } from "./calls.ts";
import { noCredentials } from "./connection.ts";
import { type Answer, TransportError } from "./wire.ts";

const write: Call = {
  verb: "patch",
  method: "PATCH",
  path: "/one",
  accept: "application/json",
  repeatable: false,
  write: true,
};

/** A server whose answers take as long as `takes` says, given the number of requests in flight, and a client of it. */
function stage(most = 32) {
  const clock = new ManualClock();
  const server = {
    takes: (inFlight: number): number => inFlight,
    answer: (): Answer | TransportError => ({ status: 200, headers: {}, text: "{}" }),
    inFlight: 0,
    most: 0,
  };
  const transport = {
    dropIdle: () => undefined,
    exchange: async (): Promise<Answer> => {
      server.most = Math.max(server.most, ++server.inFlight);
      await clock.sleep(server.takes(server.inFlight));
      server.inFlight--;
      const answer = server.answer();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const connection = { server: "http://x", namespace: "n", tls: {}, credentials: noCredentials, headers: {} };
  const calls = new Calls(connection, transport, {
    clock,
    concurrentWrites: most,
    throttledMilliseconds: 30_000,
  });
  const settle = async (all: Promise<unknown>): Promise<void> => {
    let done = false;
    const end = (): void => {
      done = true;
    };
    all.then(end, end);
    while (!done) {
      clock.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
  };
  /** The most that were in flight while so many writes were answered. */
  const storm = async (writes: number): Promise<number> => {
    server.most = 0;
    await settle(Promise.allSettled(Array.from({ length: writes }, () => calls.json(write))));
    return server.most;
  };
  return { server, calls, storm };
}

describe("writes in flight", () => {
  it("are as many as the server takes without becoming slower for each", async () => {
    const { storm, server } = stage();
    assert.equal(await storm(8), 8);
    assert.equal(await storm(600), 32);
    server.takes = (inFlight) => inFlight ** 2;
    await storm(400);
    assert.ok((await storm(100)) <= 18);
    server.takes = (inFlight) => inFlight;
    assert.equal(await storm(2_000), 32);
  });

  it("stay few where nobody waits", async () => {
    const { storm } = stage();
    for (let round = 0; round < 50; round++) await storm(5);
    assert.equal(await storm(12), 8);
  });

  it("are halved by 429, and where no answer came in time", async () => {
    const faults: readonly (() => Answer | TransportError)[] = [
      () => ({ status: 429, headers: {}, text: "too many" }),
      () => new TransportError("timeout", "No answer for 30 s"),
    ];
    for (const fault of faults) {
      const { storm, server } = stage();
      assert.equal(await storm(600), 32);
      const { answer } = server;
      server.answer = fault;
      await storm(32);
      server.answer = answer;
      assert.equal(await storm(40), 16);
    }
  });

  it("are not fewer for an object that is refused, whatever for", async () => {
    const { storm, server } = stage();
    assert.equal(await storm(600), 32);
    server.answer = () => ({ status: 500, headers: {}, text: "failed calling webhook" });
    await storm(200);
    assert.equal(await storm(40), 32);
  });
});
