import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type AllHeard, heardLeases, hearingHosts, isGone } from "./heard-leases.ts";

const NOW = Date.parse("2026-01-15T10:00:00Z");
const some = (count: number): AllHeard =>
  new Map([
    [
      "told",
      new Map([...Array(count).keys()].map((n) => [`sender "${n}"`, { heard: NOW - n, every: 60_000 }])),
    ],
    ["other", new Map([["a", { heard: 1, every: 2 }]])],
  ]);

describe("what a host heard, in its Leases", () => {
  it("is read as it was said", () => {
    const leases = heardLeases("h1", "home", NOW, some(3));
    assert.deepEqual(
      leases.map(({ metadata: { name, namespace } }) => [name, namespace]),
      [["reveille-beats-h1-0", "home"]],
    );
    const [one, none] = hearingHosts([...leases, ...heardLeases("h2", "home", NOW, new Map())]);
    assert.deepEqual([one?.host, one?.renewed, one?.heard], ["h1", NOW, some(3)]);
    assert.deepEqual([none?.host, none?.heard], ["h2", new Map()]);
  });

  it("takes as many as it needs, each of them of a size that is taken", () => {
    const leases = heardLeases("h1", "home", NOW, some(9_000));
    assert.ok(leases.length > 1);
    for (const { metadata } of leases) assert.ok(JSON.stringify(metadata).length < 256 * 1024);
    const [host, ...others] = hearingHosts(leases);
    assert.deepEqual([others, host?.heard], [[], some(9_000)]);
  });

  it("says nothing where somebody else wrote", () => {
    const [lease = assert.fail("it is there")] = heardLeases("h1", "home", NOW, some(3));
    for (const text of ["", "x", "H4sI", Buffer.from("{}").toString("base64")]) {
      const annotations = { "reveille.dev/heard": text };
      const [host] = hearingHosts([{ ...lease, metadata: { ...lease.metadata, annotations } }]);
      assert.deepEqual(host?.heard, new Map(), text);
    }
    for (const spec of [undefined, {}, { renewTime: 1 }, { renewTime: "x" }])
      assert.equal(hearingHosts([{ ...lease, spec }])[0]?.renewed, 0);
  });

  it("tells that a host is gone which did not renew one of them for too long", () => {
    const [first, second] = [NOW, NOW - 91_000].map((at) => heardLeases("h1", "home", at, some(1)));
    const both = [...(first ?? []), ...(second ?? [])];
    assert.deepEqual(
      [first ?? [], both].map((leases) => hearingHosts(leases).map((host) => isGone(host, NOW))),
      [[false], [true]],
    );
    assert.equal(isGone({ renewed: NOW - 90_000 }, NOW), false);
  });
});
