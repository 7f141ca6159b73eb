import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import type { KubeClient } from "../client.ts";
import { type ConnectionState, farPolicy, nearPolicy, probed, up } from "./connection-state.ts";
import { ConnectionPool, HOME } from "./pool.ts";

/** A pool whose API server answers as it is told to. */
function stage() {
  const clock = new ManualClock();
  const server = { reason: undefined as string | undefined, probes: 0, answer: Promise.resolve() };
  const pool = new ConnectionPool({
    home: {
      client: {} as KubeClient,
      probe: async () => {
        server.probes += 1;
        const { reason } = server;
        await server.answer;
        return reason;
      },
    },
    clock,
    random: () => 0,
  });
  let changes = 0;
  pool.subscribe(() => {
    changes += 1;
  });
  return { clock, pool, server, changes: () => changes };
}

/** Lets what was answered be taken in. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("at rest nothing is asked", async () => {
  const { clock, pool, server } = stage();
  assert.equal(await pool.blocked([HOME]), undefined);
  clock.advance(3_600_000);
  assert.deepEqual([server.probes, clock.alarms], [0, 0]);
});

test("a failure while the probe answers is no absence", async () => {
  const { pool, server, changes } = stage();
  assert.equal(await pool.check([HOME]), undefined);
  assert.deepEqual([server.probes, pool.away, changes()], [1, [], 0]);
});

test("what is away is probed at least every 5 s, and nobody else asks meanwhile", async () => {
  const { clock, pool, server, changes } = stage();
  server.reason = "nothing listens there";
  const since = clock.now();
  assert.deepEqual(await pool.check([HOME]), { connection: HOME, reason: "nothing listens there", since });
  assert.equal(changes(), 1);
  for (let times = 0; times < 20; times++) {
    const before = server.probes;
    await pool.check([HOME]);
    assert.equal(server.probes, before, "only its timer asks");
    clock.advance(5_000);
    await settle();
    assert.ok(server.probes > before, "within 5 s it was probed");
    assert.ok(pool.isAway(HOME));
  }
  server.reason = undefined;
  clock.advance(5_000);
  await settle();
  assert.deepEqual([pool.away, changes(), clock.alarms], [[], 2, 0]);
});

test("an answer that was on its way before the failure is not believed", async () => {
  const { pool, server } = stage();
  const slow = Promise.withResolvers<void>();
  server.answer = slow.promise;
  const first = pool.check([HOME]);
  server.reason = "it broke meanwhile";
  const second = pool.check([HOME]);
  slow.resolve();
  assert.equal(await first, undefined);
  assert.equal((await second)?.reason, "it broke meanwhile");
  assert.equal(server.probes, 2);
});

test("what was answered lately counts for whoever says so", async () => {
  const { clock, pool, server } = stage();
  await pool.check([HOME], 1_000);
  await pool.check([HOME], 1_000);
  assert.equal(server.probes, 1);
  clock.advance(1_001);
  await pool.check([HOME], 1_000);
  assert.equal(server.probes, 2);
});

test("a process that was frozen asks before it believes what it knew", async () => {
  const { clock, pool, server } = stage();
  server.reason = "away";
  await pool.check([HOME]);
  server.reason = undefined;
  pool.close();
  clock.advance(600_000);
  assert.equal(server.probes, 1, "its timer did not run");
  const again = stage();
  again.server.reason = "away";
  await again.pool.check([HOME]);
  again.server.reason = undefined;
  again.clock.advance(999);
  assert.notEqual(await again.pool.blocked([HOME]), undefined);
  again.clock.advance(1);
  assert.equal(await again.pool.blocked([HOME]), undefined);
});

test("one connection that is away says nothing about another", async () => {
  const { pool } = stage();
  pool.add("port charts", async () => "no route to the registry");
  assert.equal((await pool.check([HOME, "port charts"]))?.connection, "port charts");
  assert.equal(await pool.check([HOME]), undefined);
  assert.deepEqual([pool.isAway("port charts"), pool.isAway(HOME)], [true, false]);
});

test("the pauses between probes keep their bounds, whatever a connection does", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ fails: fc.boolean(), random: fc.double({ min: 0, max: 0.999, noNaN: true }) })),
      fc.constantFrom(nearPolicy, farPolicy),
      (answers, policy) => {
        let state: ConnectionState = up;
        let now = 1_000;
        for (const { fails, random } of answers) {
          const before = state;
          state = probed(before, fails ? "away" : undefined, now, policy, random);
          if (state.name === "up") {
            assert.ok(!fails);
            continue;
          }
          const pause = state.next - now;
          assert.ok(pause >= policy.first / 2 - 1 && pause <= policy.most, `${pause} ms`);
          assert.equal(state.since, before.name === "away" ? before.since : now);
          now = state.next;
        }
      },
    ),
  );
});
