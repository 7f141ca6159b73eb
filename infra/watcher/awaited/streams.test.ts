import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { StreamPlaces } from "./places.ts";
import type { FollowingStream, StreamScope } from "./stream.ts";
import { type AwaitedEntry, Streams } from "./streams.ts";

const resourceOf = (kind: string, scope: "Namespaced" | "Cluster" = "Namespaced") => ({
  group: "waits.example.org",
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope,
});
const GADGETS = resourceOf("Gadget");

let number = 0;
const entry = (name: string, namespace: string | undefined = "a", kind = "Gadget"): AwaitedEntry => ({
  object: { cluster: "c", group: "waits.example.org", kind, namespace, name, version: "v1" },
  since: ++number,
});

/** Streams that tell nothing by themselves. `list` has one tell its first complete list. */
function streamsWith(
  options: {
    readonly most?: number;
    readonly namespaces?: readonly string[];
    readonly places?: StreamPlaces;
  } = {},
) {
  const clock = new ManualClock();
  const lists = new Map<string, () => void>();
  const wordsOf = ({ resource, namespace = "*", name = "*" }: StreamScope): string =>
    `${resource.kind} ${namespace}/${name}`;
  const ended: string[] = [];
  const refused = new Set<string>();
  const streams = new Streams({
    clock,
    most: options.most,
    namespaces: options.namespaces,
    places: options.places,
    open: (scope, { listed }): FollowingStream => {
      lists.set(wordsOf(scope), listed);
      return {
        scope,
        get state() {
          return refused.has(wordsOf(scope)) ? ("forbidden" as const) : ("streaming" as const);
        },
        isComplete: true,
        isFollowing: true,
        seen: () => undefined,
        awaited: () => undefined,
        stop: async () => void ended.push(wordsOf(scope)),
      };
    },
  });
  return {
    clock,
    streams,
    ended,
    open: () => streams.all.map(({ scope }) => wordsOf(scope)).sort(),
    list: (words: string) => lists.get(words)?.(),
    /** Has one be refused; the names of the objects that nothing follows then. */
    refuse: (words: string): readonly string[] => {
      refused.add(words);
      const stream = streams.all.find(({ scope }) => wordsOf(scope) === words);
      return stream === undefined ? [] : streams.refused(stream).map(({ object }) => object.name);
    },
    scopeOf: ({ stream }: AwaitedEntry) => stream && wordsOf(stream.scope),
  };
}

describe("the streams of what is waited for", () => {
  it("follow up to three objects of a namespace one by one, and then all of it", () => {
    const { streams, open, list, ended, scopeOf } = streamsWith();
    const entries = ["one", "two", "three", "four"].map((name) => entry(name));
    for (const each of entries) streams.follow(each, GADGETS);
    assert.deepEqual(open(), ["Gadget a/*", "Gadget a/one", "Gadget a/three", "Gadget a/two"]);
    assert.deepEqual(ended, []);
    // Only what tells everything makes the others unnecessary.
    list("Gadget a/*");
    assert.deepEqual(open(), ["Gadget a/*"]);
    assert.deepEqual(ended.toSorted(), ["Gadget a/one", "Gadget a/three", "Gadget a/two"]);
    assert.deepEqual([...new Set(entries.map(scopeOf))], ["Gadget a/*"]);
    streams.follow(entry("five"), GADGETS);
    streams.follow(entry("other", "b"), GADGETS);
    assert.deepEqual(open(), ["Gadget a/*", "Gadget b/other"]);
  });

  it("follow all objects one by one where their namespace may not be followed", () => {
    const { streams, open, refuse, ended, clock } = streamsWith();
    const names = ["five", "four", "one", "six", "three", "two"];
    const each = names.map((name) => `Gadget a/${name}`);
    for (const name of names.slice(0, 4)) streams.follow(entry(name), GADGETS);
    assert.deepEqual(refuse("Gadget a/*"), []);
    // Neither are later ones tried in any other way, for a while.
    for (const name of names.slice(4)) streams.follow(entry(name), GADGETS);
    assert.deepEqual([open(), ended], [each, ["Gadget a/*"]]);
    clock.advance(600_000);
    streams.follow(entry("zero"), GADGETS);
    assert.deepEqual(open(), ["Gadget a/*", ...each]);
  });

  it("follow no more one by one than may be open", () => {
    const { streams, open, refuse } = streamsWith({ most: 5 });
    for (const name of ["one", "two", "three", "four", "five", "six"]) streams.follow(entry(name), GADGETS);
    assert.deepEqual(refuse("Gadget a/*"), ["five", "six"]);
    assert.deepEqual(open(), [
      "Gadget a/*",
      "Gadget a/four",
      "Gadget a/one",
      "Gadget a/three",
      "Gadget a/two",
    ]);
    // One that is refused by its name stays: it is asked again.
    assert.deepEqual(refuse("Gadget a/one"), ["one"]);
  });

  it("are 500 at most: beyond, one follows a kind everywhere", () => {
    const { streams, open, list, scopeOf } = streamsWith();
    for (let at = 0; at < 500; at++) streams.follow(entry("one", `n${at}`), GADGETS);
    assert.equal(open().length, 500);
    const late = entry("late", "n500");
    streams.follow(late, GADGETS);
    assert.equal(scopeOf(late), "Gadget */*");
    assert.equal(open().length, 501);
    list("Gadget */*");
    assert.deepEqual(open(), ["Gadget */*"]);
    const next = entry("one", "n501");
    streams.follow(next, GADGETS);
    assert.equal(scopeOf(next), "Gadget */*");
  });

  it("beyond the limit stay within the namespaces that are watched at all", () => {
    const { streams, open, scopeOf } = streamsWith({ most: 1, namespaces: ["a", "b"] });
    const [first, second] = [entry("one", "a"), entry("one", "b")];
    streams.follow(first, GADGETS);
    streams.follow(second, GADGETS);
    assert.equal(scopeOf(second), "Gadget b/*");
    assert.deepEqual(open(), ["Gadget a/one", "Gadget b/*"]);
  });

  it("go on for a minute after the last wait, and no longer", () => {
    const { clock, streams, open, ended } = streamsWith();
    const [first, second] = [entry("one"), entry("one")];
    streams.follow(first, GADGETS);
    streams.leave(first);
    clock.advance(59_000);
    assert.deepEqual(open(), ["Gadget a/one"]);
    // Somebody waits again meanwhile: the stream stays as it is.
    streams.follow(second, GADGETS);
    clock.advance(600_000);
    assert.deepEqual([open(), ended], [["Gadget a/one"], []]);
    streams.leave(second);
    clock.advance(60_000);
    assert.deepEqual([open(), ended], [[], ["Gadget a/one"]]);
    assert.equal(clock.alarms, 0);
  });

  it("end the oldest of all clusters where nobody waits in too many", () => {
    const places = new StreamPlaces({ clock: new ManualClock(), most: 100, lingering: 2 });
    const [here, there] = [streamsWith({ places }), streamsWith({ places })];
    const [one, two, three, four] = ["one", "two", "three", "four"].map((name) => entry(name, name));
    assert.ok(one && two && three && four);
    const used = ({ streams }: typeof here, which: AwaitedEntry) => {
      streams.follow(which, GADGETS);
      streams.leave(which);
    };
    used(here, one);
    used(there, two);
    // Somebody waits again in the first: it lingers no longer.
    here.streams.follow(entry("one", "one"), GADGETS);
    used(here, three);
    assert.deepEqual([here.ended, there.ended], [[], []]);
    used(there, four);
    assert.deepEqual(
      [here.open(), there.open()],
      [["Gadget one/one", "Gadget three/three"], ["Gadget four/four"]],
    );
    assert.deepEqual([here.ended, there.ended], [[], ["Gadget two/two"]]);
    // Those that ended by their time count no more.
    there.clock.advance(60_000);
    used(there, entry("five", "five"));
    assert.deepEqual(here.open(), ["Gadget one/one", "Gadget three/three"]);
  });

  it("of kinds without a namespace have none", () => {
    const { streams, open } = streamsWith();
    streams.follow(entry("one", "a", "Class"), resourceOf("Class", "Cluster"));
    assert.deepEqual(open(), ["Class */one"]);
  });
});
