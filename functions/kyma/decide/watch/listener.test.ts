import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { BeatNews, ProvenDelivery } from "../../../../shared/function/index.ts";
import { listener } from "./index.ts";

const gvk = { group: "operator.kyma-project.io", version: "v1beta2", kind: "Kyma" };

describe("the listener", () => {
  const read = (body: unknown, over: Partial<ProvenDelivery> = {}) =>
    listener.read({
      commonName: "rt-1",
      path: { contract: "v2", manager: "lifecycle-manager" },
      body,
      id: "of-its-own",
      ...over,
    });
  const event = (body: unknown) => {
    const reading = read(body);
    assert.ok("notices" in reading, JSON.stringify(reading));
    return reading.notices[0]?.event;
  };
  it("makes an event of what upstream's program sends", () => {
    assert.deepEqual(
      event({ watched: { Namespace: "kyma-system", Name: "default" }, watchedGvk: gvk, more: 1 }),
      {
        id: "runtime.changed/rt-1/of-its-own",
        type: "runtime.changed",
        subject: "runtime/rt-1",
        data: {
          runtimeId: "rt-1",
          delivery: "of-its-own",
          watched: { ...gvk, namespace: "kyma-system", name: "default" },
        },
      },
    );
  });
  it("takes a delivery that comes twice for one", () => {
    assert.equal(event({ delivery: "p 1" })?.id, "runtime.changed/rt-1/p_1");
    assert.deepEqual(event({ delivery: "p 1" }), event({ delivery: "p 1" }));
    assert.equal(event({})?.type, "runtime.changed", "a hint without words");
  });
  it("takes a sign of life for no event, and what hosts tell of them for one of its sender", () => {
    const beat = { number: 2, after: 1, seconds: 60 };
    assert.deepEqual(read({ beat, runtimeId: "another" }), { beat });
    const news = { sender: "rt-1", heard: "2026-01-15T10:01:00.000Z", host: "h1" } as const;
    const told = (state: BeatNews["state"], heard: string = news.heard) =>
      listener.beats({ ...news, state, heard }).event;
    assert.deepEqual(told("alive"), {
      id: "runtime.alive/rt-1/2026-01-15T10:01:00.000Z_h1",
      type: "runtime.alive",
      subject: "runtime/rt-1",
      data: { runtimeId: "rt-1", heard: news.heard, host: "h1" },
    });
    assert.equal(told("silent").id, "runtime.silent/rt-1/2026-01-15T10:01:00.000Z_h1");
    assert.equal(told("missed").type, "runtime.changed");
    assert.deepEqual(told("missed"), told("missed", "2026-01-15T10:04:59.000Z"), "one look in five minutes");
    assert.notEqual(told("missed").id, told("missed", "2026-01-15T10:05:00.000Z").id);
  });
  it("says what is wrong", () => {
    for (const [body, over] of [
      [{}, { path: { contract: "v1", manager: "m" } }],
      [{}, { path: { contract: "", manager: "m" } }],
      [{}, { path: { contract: "v2", manager: "" } }],
      [{}, { commonName: "x".repeat(257) }],
      [null, {}],
      [[], {}],
      [{ watched: "default" }, {}],
      [{ watched: { Name: "x".repeat(257) } }, {}],
      [{ delivery: 1 }, {}],
      [{ beat: true }, {}],
      [{ beat: { number: 0, after: 0, seconds: 60 } }, {}],
      [{ beat: { number: 1.5, after: 0, seconds: 60 } }, {}],
      [{ beat: { number: 1, after: -1, seconds: 60 } }, {}],
      [{ beat: { number: 1, after: 0, seconds: 0 } }, {}],
      [{ beat: { number: 1, after: 0, seconds: 100_000 } }, {}],
    ] as const)
      assert.ok("issues" in read(body, over), JSON.stringify([body, over]));
  });
});
