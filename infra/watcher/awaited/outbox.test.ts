import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { silent } from "../../../shared/log/log.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Outbox } from "./outbox.ts";
import type { AwaitedObject } from "./waits.ts";

const SECOND = 1_000;
const objectOf = (name: string): AwaitedObject => ({ cluster: "c", group: "", kind: "Secret", name });
const ONE = objectOf("one");

/** An outbox, and a change of an object that it is told. `passes` lets time pass, and what that began end. */
function begun() {
  const clock = new ManualClock();
  const told: string[] = [];
  const outbox = new Outbox({
    clock,
    log: silent,
    random: () => 0,
    era: () => 0,
    identity: "test",
    publish: async (events: Envelope[]) => {
      for (const { data } of events) {
        const { ref, resourceVersion } = data as {
          readonly ref: { readonly name: string };
          readonly resourceVersion: string;
        };
        told.push(`${ref.name} ${resourceVersion}`);
      }
    },
  });
  const passes = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await new Promise(setImmediate);
    clock.advance(0);
    await new Promise(setImmediate);
  };
  return {
    told,
    passes,
    changes: async (version: number, object = ONE): Promise<void> => {
      const state = { namespace: undefined, uid: "u", generation: 1, deleting: false };
      outbox.put(object, { ...state, name: object.name, resourceVersion: String(version) });
      await passes(0);
    },
  };
}

describe("the news of an object that somebody waits for", () => {
  it("are told whenever they come while what came before is published", async () => {
    for (let turns = 0; turns < 8; turns++) {
      const clock = new ManualClock();
      const published = Promise.withResolvers<void>();
      let batches = 0;
      const outbox = new Outbox({
        clock,
        log: silent,
        random: () => 0,
        era: () => 0,
        identity: "test",
        publish: async () => {
          batches += 1;
          if (batches === 1) await published.promise;
        },
      });
      outbox.put(ONE, "gone");
      clock.advance(0);
      published.resolve();
      for (let turn = 0; turn < turns; turn++) await undefined;
      outbox.put(objectOf("two"), "gone");
      await new Promise(setImmediate);
      clock.advance(0);
      await new Promise(setImmediate);
      assert.deepEqual([batches, outbox.size], [2, 0], `after ${turns} turns`);
    }
  });

  it("are told at once while it changes in steps", async () => {
    const { told, changes } = begun();
    for (const version of [1, 2, 3, 4]) await changes(version);
    assert.deepEqual(told, ["one 1", "one 2", "one 3", "one 4"]);
  });

  it("are told once a second where it changes all the time, and hold up no other object", async () => {
    const { told, changes, passes } = begun();
    for (let version = 1; version <= 20; version++) await changes(version);
    assert.deepEqual(told.splice(0), ["one 1", "one 2", "one 3", "one 4"]);
    await changes(1, objectOf("two"));
    assert.deepEqual(told.splice(0), ["two 1"]);
    await passes(SECOND - 1);
    assert.deepEqual(told, []);
    await passes(1);
    assert.deepEqual(told.splice(0), ["one 20"], "the newest state");
    for (let version = 21; version <= 25; version++) {
      await changes(version);
      assert.deepEqual(told, []);
      await passes(SECOND);
      assert.deepEqual(told.splice(0), [`one ${version}`]);
    }
  });

  it("are told at once again after a rest", async () => {
    const { told, changes, passes } = begun();
    for (let version = 1; version <= 4; version++) await changes(version);
    told.splice(0);
    await passes(2 * SECOND);
    for (let version = 5; version <= 7; version++) await changes(version);
    assert.deepEqual(told, ["one 5", "one 6"]);
  });
});
