import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type PlacedStream, StreamPlaces } from "./places.ts";

const TURN = 30_000;

/** Places, and streams that say by their names which of them are open. */
function placesFor(most: number, lingering?: number) {
  const clock = new ManualClock();
  const places = new StreamPlaces({ clock, most, lingering });
  const open = new Set<string>();
  const streams = new Map<string, PlacedStream>();
  const of = (name: string): PlacedStream => {
    const stream = streams.get(name) ?? {
      begin: () => {
        assert.ok(!open.has(name), `${name} begins twice`);
        open.add(name);
      },
      pause: () => assert.ok(open.delete(name), `${name} was not open`),
    };
    streams.set(name, stream);
    return stream;
  };
  return {
    clock,
    places,
    join: (...names: string[]) => {
      for (const name of names) places.join(of(name));
    },
    leave: (name: string) => {
      open.delete(name);
      places.leave(of(name));
    },
    told: (name: string) => places.told(of(name)),
    awaited: (name: string) => places.awaited(of(name)),
    open: () => [...open].sort().join(" "),
  };
}

describe("the places of streams", () => {
  it("are given at once while there are some, and then as they become free", () => {
    const { places, join, leave, open, clock } = placesFor(2);
    join("a", "b", "c", "d");
    assert.deepEqual([open(), places.count], ["a b", { open: 2, queued: 2 }]);
    leave("a");
    assert.equal(open(), "b c");
    leave("d");
    leave("b");
    assert.deepEqual([open(), places.count], ["c", { open: 1, queued: 0 }]);
    assert.equal(clock.alarms, 0);
  });

  it("go round every 30 s where more are wanted", () => {
    const { join, open, clock } = placesFor(2);
    join("a", "b", "c");
    clock.advance(TURN - 1);
    assert.equal(open(), "a b");
    clock.advance(1);
    assert.equal(open(), "b c");
    // Whoever gave its place up has none for a turn, although another has held its own for longer.
    clock.advance(TURN - 1);
    assert.equal(open(), "b c");
    clock.advance(1);
    assert.equal(open(), "a c");
  });

  it("are given up first by those that told a change, unless somebody waits in them anew", () => {
    const { join, told, awaited, open } = placesFor(3);
    join("a", "b", "c");
    told("b");
    told("c");
    awaited("b");
    join("d");
    assert.equal(open(), "a b d");
    join("e");
    assert.equal(open(), "a b d");
    told("b");
    assert.equal(open(), "a d e");
  });

  it("are given up before all others by those in which nobody waits", () => {
    const { places, join, told, leave, open } = placesFor(2);
    join("a", "b");
    told("a");
    places.linger(() => leave("b"));
    join("c");
    assert.equal(open(), "a c");
  });

  it("come at once to one in which somebody begins to wait, though it gave its own up of late", () => {
    const { join, told, awaited, open } = placesFor(2);
    join("a", "b", "c");
    told("a");
    assert.equal(open(), "b c");
    told("b");
    assert.equal(open(), "b c", "whoever gave its place up is in no hurry");
    awaited("a");
    assert.equal(open(), "a c");
  });

  it("come to none that ended to make room for itself", () => {
    const { places, join, leave, told, open } = placesFor(1);
    join("a");
    join("b");
    // Nobody waits in it any more while it still queues.
    places.linger(() => leave("b"));
    told("a");
    assert.deepEqual([open(), places.count], ["a", { open: 1, queued: 0 }]);
  });

  it("come to nobody any more once all is to end", () => {
    const { places, join, leave, open, clock } = placesFor(1);
    join("a", "b");
    places.close();
    leave("a");
    assert.deepEqual([open(), clock.alarms], ["", 0]);
  });

  it("are kept by those in which somebody waits again", () => {
    const { places, join, leave, open } = placesFor(2);
    join("a", "b");
    places.linger(() => leave("b"))();
    join("c");
    assert.equal(open(), "a b");
  });

  it("are never too many, never empty while somebody queues, and go round", () => {
    const step = fc.record({
      act: fc.constantFrom("join", "leave", "told", "awaited", "wait"),
      name: fc.constantFrom(..."abcdefgh"),
      milliseconds: fc.integer({ min: 0, max: 2 * TURN }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
        const { places, join, leave, told, awaited, open, clock } = placesFor(most);
        const wanted = new Set<string>();
        for (const { act, name, milliseconds } of steps) {
          if (act === "join" && !wanted.has(name)) {
            wanted.add(name);
            join(name);
          } else if (act === "leave" && wanted.delete(name)) leave(name);
          else if (act === "told") told(name);
          else if (act === "awaited") awaited(name);
          else if (act === "wait") clock.advance(milliseconds);
          assert.equal(places.count.open, Math.min(most, wanted.size));
          assert.equal(open() === "" ? 0 : open().split(" ").length, places.count.open);
          assert.equal(places.count.open + places.count.queued, wanted.size);
        }
        // In as many turns as there are streams each has had its own.
        const seen = new Set<string>();
        for (let turn = 0; turn <= wanted.size + 1; turn++) {
          for (const name of open().split(" ")) seen.add(name);
          clock.advance(TURN);
        }
        assert.deepEqual(
          [...wanted].filter((name) => !seen.has(name)),
          [],
        );
        for (const name of wanted) leave(name);
        assert.equal(clock.alarms, 0);
      }),
    );
  });
});
