import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import type { Finished } from "./contract.ts";
import type { NewItem, WorkItem } from "./item.ts";
import { enqueue, finish, freshKey, giveBack, type KeyState, take } from "./key-state.ts";
import { defaultRetry } from "./retry.ts";
import { isSuspect } from "./waiting.ts";

const itemOf = (key: string, sort: NewItem["cause"]["sort"] = "own"): NewItem => ({
  function: "f",
  key,
  lane: "urgent",
  cause: {
    sort,
    eventId: `${key}/${sort}`,
    type: "resource.changed",
    revives: false,
    at: "2026-01-15T10:00:00Z",
  },
});
const done = (item: WorkItem): Finished => ({
  state: "finished",
  echoes: [],
  waits: [],
  deadlines: {},
  net: undefined,
  again: false,
  enqueue: [],
  run: {
    id: item.key,
    function: item.function,
    key: item.key,
    lane: item.lane,
    attempt: item.attempt,
    startedAt: "2026-01-15T10:00:00Z",
    milliseconds: 1,
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    causes: item.causes,
    reads: [],
    writes: [],
    outcome: "done",
    waitingFor: [],
    deadlines: {},
  },
});

/** One host after the other, as each bus keeps them: suspects run alone, all others together. */
class Hosts {
  readonly keys = new Map<string, KeyState>();
  now = 0;

  add(key: string): void {
    this.keys.set(key, enqueue(this.keys.get(key) ?? freshKey, itemOf(key), this.now));
  }

  /** What a host with room for `slots` would run now. */
  take(slots: number): readonly string[] {
    const ready = [...this.keys].filter(
      ([, { waiting, running }]) =>
        waiting !== undefined && running === undefined && waiting.notBefore <= this.now,
    );
    const suspect = ready.find(([, { waiting }]) => waiting !== undefined && isSuspect(waiting));
    const taken = suspect === undefined ? ready.slice(0, slots) : [suspect];
    for (const [key, state] of taken)
      this.keys.set(
        key,
        take(state, { function: "f", key }, { owner: 1, token: 1, now: this.now }, defaultRetry),
      );
    return taken.map(([key]) => key);
  }

  end(key: string): void {
    const state = this.keys.get(key);
    if (state?.running === undefined) throw new Error(`${key} does not run`);
    this.keys.set(key, finish(state, done(state.running.item), this.now));
  }

  die(running: readonly string[]): void {
    for (const key of running) {
      const how = running.length === 1 ? "died alone" : "died in company";
      const state = this.keys.get(key) ?? freshKey;
      this.keys.set(key, giveBack(state, how, this.now, defaultRetry, 0.5));
    }
  }
}

describe("a host that dies", () => {
  test("buries the key that ends it and no other, whoever runs beside it and in whatever order they end", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 2, max: 8 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 7 })),
        (innocents, slots, ends) => {
          const hosts = new Hosts();
          const names = Array.from({ length: innocents }, (_, n) => `k${n}`);
          for (const name of ["poison", ...names]) hosts.add(name);
          const ended = new Set<string>();
          for (let rounds = 0; hosts.keys.get("poison")?.dead === undefined; rounds++) {
            assert.ok(rounds < 500, "it comes to an end");
            const running = hosts.take(slots);
            if (!running.includes("poison")) {
              for (const name of running) {
                hosts.end(name);
                ended.add(name);
              }
              hosts.now += running.length === 0 ? 60_000 : 1_000;
              continue;
            }
            // Some come to their end before the process does.
            const early = running.filter((name) => name !== "poison" && ends.next().value === 0);
            for (const name of early) {
              hosts.end(name);
              ended.add(name);
            }
            hosts.die(running.filter((name) => !early.includes(name)));
            hosts.now += 1_000;
          }
          for (const name of names) {
            if (!ended.has(name)) assert.ok(hosts.keys.get(name)?.waiting !== undefined, `${name} is lost`);
            assert.equal(hosts.keys.get(name)?.dead, undefined, `${name} pays for another's deaths`);
            assert.ok((hosts.keys.get(name)?.attempts ?? 0) <= 1);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test("and the next, and the next for two minutes, whatever runs in them, buries nothing", () => {
    const hosts = new Hosts();
    for (let n = 0; n < 16; n++) hosts.add(`k${n}`);
    for (; hosts.now < 120_000; hosts.now += 3_200) hosts.die(hosts.take(8));
    assert.deepEqual(
      [...hosts.keys.values()].filter(({ dead }) => dead !== undefined),
      [],
    );
  });

  test("leaves a suspect its wait whatever others do, but looks at once where its object changed", () => {
    const hosts = new Hosts();
    hosts.add("a");
    hosts.add("b");
    for (let deaths = 0; deaths < 2; deaths++) hosts.die(hosts.take(2));
    const suspect = hosts.keys.get("a") ?? freshKey;
    const { notBefore = 0 } = suspect.waiting ?? {};
    assert.ok(notBefore > 0);
    assert.equal(enqueue(suspect, itemOf("a", "dependency"), 0).waiting?.notBefore, notBefore);
    assert.equal(enqueue(suspect, itemOf("a"), 0).waiting?.notBefore, 0);
    assert.equal(enqueue(suspect, itemOf("a", "command"), 0).waiting?.deaths, 2);
  });

  test("is forgotten with the first run that ends", () => {
    const hosts = new Hosts();
    hosts.add("a");
    hosts.add("b");
    for (let deaths = 0; deaths < 2; deaths++) hosts.die(hosts.take(2));
    hosts.now = 600_000;
    const [alone = "", ...others] = hosts.take(2);
    assert.deepEqual(others, []);
    hosts.end(alone);
    hosts.add(alone);
    assert.equal(hosts.keys.get(alone)?.waiting?.deaths, undefined);
  });
});
