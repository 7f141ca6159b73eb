import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { seededRandom } from "../../../infra/testing/random.ts";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { keptLog } from "../../../infra/testing/watched-cluster.ts";
import type { BeatingTrigger } from "../../function/trigger.ts";
import { KubeError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { BeatKeeper, type BeatKeeperOptions } from "./beat-keeper.ts";

const MINUTE = 60_000;
const trigger: BeatingTrigger = {
  name: "pulse",
  path: "/pulse",
  proof: "certificate",
  maximumBody: 100,
  read: () => ({ ignored: "nothing" }),
  beats: ({ state, sender, heard, host }) => ({
    at: undefined,
    event: { id: `${state}/${sender}/${heard}`, type: state, subject: sender, data: { host, heard } },
  }),
};

/** Leases in memory, with the preconditions that count. */
function leases() {
  const all = new Map<string, KubeObject>();
  let version = 0;
  let [isAway, isThere] = [false, true];
  const asked = (): void => {
    if (isAway) throw new KubeError("unavailable", "it is away", { request: "leases" });
  };
  const client: BeatKeeperOptions["client"] = {
    list: async () => {
      asked();
      return { items: [...all.values()], metadata: { resourceVersion: String(version) } };
    },
    apply: async (_resource, { name }, body) => {
      asked();
      if (!isThere) throw new KubeError("missing", "no namespace", { request: "leases" });
      version += 1;
      const uid = all.get(name)?.metadata.uid ?? `uid ${version}`;
      const stored = { ...body, metadata: { ...body.metadata, uid, resourceVersion: String(version) } };
      all.set(name, stored);
      return stored;
    },
    create: async (_resource, body) => {
      isThere = true;
      return body;
    },
    delete: async (_resource, { name }, { uid, resourceVersion }) => {
      const found = all.get(name)?.metadata;
      if (found === undefined) throw new KubeError("missing", "gone", { request: "leases" });
      if (uid !== undefined && (found.uid !== uid || found.resourceVersion !== resourceVersion))
        throw new KubeError("stale", "it is another", { request: "leases" });
      all.delete(name);
      return undefined;
    },
  };
  return {
    client,
    names: () => [...all.keys()].sort(),
    away: (yes: boolean) => {
      isAway = yes;
    },
    noNamespace: () => {
      isThere = false;
    },
  };
}

function stage() {
  const clock = manualClock();
  const store = leases();
  const lines: Parameters<typeof keptLog>[0] = [];
  const bus = { up: true };
  let published: string[] = [];
  const events: Pick<Envelope, "type" | "subject" | "data">[] = [];
  const start = async (name: string) => {
    let isAlive = true;
    const keeper = new BeatKeeper({
      client: store.client,
      bus: {
        ready: () => bus.up,
        publish: async (batch: readonly Envelope[]) => {
          events.push(...batch);
          published.push(...batch.map(({ type, subject }) => `${type} ${subject} by ${name}`));
          return { refused: [] };
        },
      },
      triggers: [trigger],
      namespace: "home",
      host: name,
      clock: {
        ...clock,
        now: clock.now,
        after: (wait, then) => clock.after(wait, () => isAlive && then()),
      },
      log: keptLog(lines),
    });
    await keeper.start();
    return {
      keeper,
      /** Hears a beat, and tells what there is to tell of it. */
      hear: (sender: string, number: number, after = number - 1) => {
        const { notices, note } = keeper.hear(trigger, sender, { number, after, seconds: 60 });
        events.push(...notices.map(({ event }) => event));
        published.push(...notices.map(({ event }) => `${event.type} ${event.subject} by ${name}`));
        note();
      },
      /** It ends as by kill -9. */
      kill: () => {
        isAlive = false;
      },
    };
  };
  /** What whoever hears all news knows: the later word counts, and of the same time silence. */
  const verdicts = (): ReadonlyMap<string, { readonly state: string; readonly silences: number }> => {
    const found = new Map<string, { state: string; heard: string; silences: number }>();
    for (const { type: state, subject = "", data } of events) {
      if (state === "missed") continue;
      const { heard } = data as { readonly heard: string };
      const known = found.get(subject) ?? { state: "", heard: "", silences: 0 };
      const silences = known.silences + (state === "silent" ? 1 : 0);
      const counts = heard > known.heard || (heard === known.heard && state === "silent");
      found.set(subject, { ...(counts ? { state, heard } : known), silences });
    }
    return found;
  };
  const news = (): readonly string[] => {
    const taken = published;
    published = [];
    return taken;
  };
  return { clock, store, bus, start, news, verdicts, lines };
}

describe("the hosts that hear beats", () => {
  it("tell one who begins, nothing of one who beats, and one who is silent", async () => {
    const { clock, start, news, store } = stage();
    const one = await start("one");
    for (let number = 1; number <= 100; number++) {
      one.hear("a", number);
      await clock.advance(MINUTE);
    }
    assert.deepEqual(news(), ["alive a by one"]);
    await clock.advance(1.9 * MINUTE);
    assert.deepEqual(news(), []);
    await clock.advance(MINUTE);
    assert.deepEqual(news(), ["silent a by one"]);
    await clock.advance(60 * MINUTE);
    assert.deepEqual([news(), store.names()], [[], ["reveille-beats-one-0"]]);
    one.hear("a", 165, 100);
    assert.deepEqual(news(), ["alive a by one", "missed a by one"]);
  });

  it("tell nothing of a sender whose beats go now to the one, now to the other", async () => {
    const { clock, start, news } = stage();
    const hosts = [await start("one"), await start("two"), await start("three")];
    // A host hears several in a row, and then none for long.
    for (let number = 1; number <= 120; number++) {
      hosts[Math.floor(number / 10) % 3]?.hear("a", number);
      hosts[(number * 7) % 3]?.hear("b", number);
      await clock.advance(MINUTE);
    }
    assert.deepEqual(news(), ["alive a by one", "alive b by two"]);
    await clock.advance(5 * MINUTE);
    assert.deepEqual(
      news()
        .map((one) => one.replace(/ by .*/, ""))
        .sort(),
      ["silent a", "silent b"],
    );
  });

  it("take over what a host heard that was killed", async () => {
    const { clock, start, news, store } = stage();
    const [one, two] = [await start("one"), await start("two")];
    await clock.advance(5 * MINUTE);
    for (const sender of ["a", "b"]) one.hear(sender, 1);
    await clock.advance(MINUTE);
    news();
    one.kill();
    for (let number = 2; number <= 10; number++) {
      two.hear("a", number);
      await clock.advance(MINUTE);
    }
    assert.deepEqual(news(), ["silent b by two"]);
    assert.deepEqual(store.names(), ["reveille-beats-two-0"]);
  });

  it("know after a restart who was heard before, however they ended", async () => {
    for (const end of ["stop", "kill"] as const) {
      const { clock, start, news } = stage();
      const one = await start("one");
      for (const sender of ["a", "b"]) one.hear(sender, 1);
      await clock.advance(MINUTE / 2);
      news();
      if (end === "kill") one.kill();
      else await one.keeper.stop();
      await clock.advance(MINUTE / 2);
      const two = await start("two");
      for (let number = 2; number <= 10; number++) {
        two.hear("a", number);
        await clock.advance(MINUTE);
      }
      assert.deepEqual(news(), ["silent b by two"], end);
    }
  });

  it("tell no silence while they cannot know what others hear, and none after it of who was heard", async () => {
    const { clock, start, news, store, lines } = stage();
    const [one, two] = [await start("one"), await start("two")];
    await clock.advance(5 * MINUTE);
    one.hear("a", 1);
    two.hear("b", 1);
    await clock.advance(MINUTE);
    news();
    store.away(true);
    for (let number = 2; number <= 10; number++) {
      two.hear("a", number);
      one.hear("b", number);
      await clock.advance(MINUTE);
    }
    // They could not know that the other host had heard them.
    assert.deepEqual(news(), []);
    store.away(false);
    for (let number = 11; number <= 20; number++) {
      two.hear("a", number);
      one.hear("b", number);
      await clock.advance(MINUTE);
    }
    assert.deepEqual(news(), ["alive a by two", "alive b by one"], "in case others told their silence");
    assert.equal(lines.filter(({ level }) => level === "warn").length, 2, "each says it once");
  });

  it("know in the end who lives, whichever of them hear, begin, stop and are killed", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { clock, start, verdicts } = stage();
      const next = seededRandom(seed);
      const below = (most: number): number => Math.floor(next() * most);
      const hosts = [await start("host 0"), await start("host 1")];
      const senders = ["a", "b", "c", "d"].map((name) => ({
        name,
        number: 0,
        after: 0,
        until: 60 + below(60),
      }));
      const [alive] = senders;
      if (alive) alive.until = 1_000;
      for (let minute = 0, begun = 2; minute < 150; minute++) {
        if (below(8) === 0 && hosts.length > 1) {
          const [gone] = hosts.splice(below(hosts.length), 1);
          if (below(2) === 0) gone?.kill();
          else await gone?.keeper.stop();
          gone?.kill();
        }
        if (hosts.length < 3 && below(4) === 0) hosts.push(await start(`host ${begun++}`));
        for (const sender of senders) {
          if (minute >= sender.until) continue;
          if (below(40) === 0) Object.assign(sender, { number: 0, after: 0 });
          sender.number += 1;
          if (below(20) === 0) continue;
          hosts[below(hosts.length)]?.hear(sender.name, sender.number, sender.after);
          sender.after = sender.number;
        }
        await clock.advance(MINUTE);
      }
      const found = verdicts();
      assert.deepEqual(
        senders.map(({ name }) => found.get(name)?.state),
        ["alive", "silent", "silent", "silent"],
        `seed ${seed}`,
      );
      assert.equal(found.get("a")?.silences, 0, `seed ${seed}: nobody is silent who beats`);
    }
  });

  it("tell silence when the bus is back", async () => {
    const { clock, start, news, bus } = stage();
    const one = await start("one");
    one.hear("a", 1);
    news();
    bus.up = false;
    await clock.advance(10 * MINUTE);
    assert.deepEqual(news(), []);
    bus.up = true;
    await clock.advance(MINUTE);
    assert.deepEqual(news(), ["silent a by one"]);
  });

  it("keep no Lease of who ended and heard nobody, and make their namespace", async () => {
    const { start, store } = stage();
    store.noNamespace();
    const one = await start("one");
    assert.deepEqual(store.names(), ["reveille-beats-one-0"]);
    await one.keeper.stop();
    assert.deepEqual(store.names(), []);
  });

  it("hear for triggers of their own alone", async () => {
    const { start } = stage();
    const { keeper } = await start("one");
    const beat = { number: 1, after: 0, seconds: 60 };
    assert.throws(() => keeper.hear({ ...trigger, name: "another" }, "a", beat), /another/);
  });
});
