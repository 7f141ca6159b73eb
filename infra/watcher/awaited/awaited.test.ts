import assert from "node:assert/strict";
import { describe, it, type TestContext } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { silent } from "../../../shared/log/log.ts";
import { eventually } from "../../testing/eventually.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { AwaitedObjects } from "./awaited.ts";
import type { AwaitedObject } from "./waits.ts";

const OBJECT: AwaitedObject = {
  cluster: "c",
  group: "",
  version: "v1",
  kind: "Secret",
  namespace: "a",
  name: "one",
};
const SECRETS = { group: "", version: "v1", kind: "Secret", plural: "secrets", scope: "Namespaced" as const };

/** The awaited objects of a server that answers each list like this. */
function followed(t: TestContext, list: () => Promise<never>) {
  const clock = new ManualClock();
  const published: Envelope[] = [];
  let tell: (objects: readonly AwaitedObject[]) => void = () => undefined;
  let waits: readonly AwaitedObject[] = [OBJECT];
  const client: Partial<KubeClient> = {
    discover: () => Promise.resolve([SECRETS]),
    async *pages() {
      yield await list();
    },
  };
  const awaited = new AwaitedObjects({
    client: client as KubeClient,
    clock,
    log: silent,
    cluster: "c",
    bus: {
      waits: () => Promise.resolve(waits),
      subscribe: (listener) => {
        tell = listener.waits;
        return () => undefined;
      },
    },
    publish: async (events) => void published.push(...events),
    isCovered: () => false,
    namespaces: undefined,
    era: () => 0,
    random: () => 0,
    identity: "test",
  });
  t.onTestFinished(() => awaited.stop());
  return {
    clock,
    awaited,
    published,
    /** Somebody waits for it, and its wait is told. */
    tell: () => tell([OBJECT]),
    nobodyWaits: () => {
      waits = [];
    },
    /** Lets time pass until that is so: each step ends what the one before began. */
    pass: (what: string, milliseconds: number, holds: () => boolean) =>
      eventually(what, () => {
        clock.advance(0);
        if (holds()) return true;
        if (milliseconds > 0) clock.advance(milliseconds);
        return false;
      }),
  };
}
const forbidden = (): Promise<never> =>
  Promise.reject(new KubeError("forbidden", "secrets is forbidden", { request: "GET /api/v1/secrets" }));

describe("an object that may not be followed", () => {
  it("is looked at every 30 s by who waits for it, and is named", async (t) => {
    const { clock, awaited, published, pass } = followed(t, forbidden);
    await pass("the first look", 0, () => published.length === 1);
    const [{ type, data } = { type: "", data: undefined }] = published;
    assert.equal(type, "resource.changed");
    const told = data as { readonly lane: string; readonly differs: readonly string[] };
    assert.deepEqual([told.lane, told.differs], ["sweep", ["unknown"]]);
    assert.deepEqual(awaited.position().streams, [
      { group: "", kind: "Secret", namespace: "a", name: "one", state: "forbidden" },
    ]);
    for (const looks of [2, 3, 4]) {
      clock.advance(29_000);
      await new Promise(setImmediate);
      clock.advance(0);
      assert.equal(published.length, looks - 1, "no look before its time");
      clock.advance(1_000);
      await pass(`look ${looks}`, 0, () => published.length === looks);
    }
  });

  it("is not let go by an answer that does not know of it yet", async (t) => {
    const { clock, awaited, published, pass, nobodyWaits, tell } = followed(t, forbidden);
    await pass("the first look", 0, () => published.length === 1);
    clock.advance(29_000);
    nobodyWaits();
    // It is told a moment before the question whose answer lacks it.
    tell();
    clock.advance(1_000);
    await new Promise(setImmediate);
    assert.equal(awaited.position().objects, 1);
    clock.advance(30_000);
    await eventually("it is forgotten", () => awaited.position().objects === 0);
  });

  it("is let go when nobody waits for it any more", async (t) => {
    const { clock, awaited, published, pass, nobodyWaits } = followed(t, forbidden);
    await pass("the first look", 0, () => published.length === 1);
    nobodyWaits();
    clock.advance(30_000);
    await eventually("it is forgotten", () => awaited.position().objects === 0);
    clock.advance(60_000);
    await eventually("its stream ends", () => awaited.position().streams.length === 0);
  });
});
