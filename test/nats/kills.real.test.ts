import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { changed, keyOf, route } from "../bus-contract/fixture.ts";
import { staleEffects, Workers } from "./workers.ts";

const LEASE_MILLISECONDS = 3_000;

describe("kills on a real nats-server", { skip: skipWithoutNats() !== false }, () => {
  let server: NatsServer;
  let workers: Workers;
  let bus: NatsBus;
  let nats: Record<string, unknown>;

  beforeEach(async () => {
    server = await startNatsServer();
    nats = { servers: [server.url], leaseMilliseconds: LEASE_MILLISECONDS, maximumBytes: 67_108_864 };
    workers = new Workers();
    bus = await openNatsBus({ nats: natsOptions.parse(nats), functions: ["widget"], route });
  });
  afterEach(async () => {
    workers.stop();
    await bus.close();
    await server.stop();
  });
  const effects = (key: string): readonly string[] =>
    workers
      .told()
      .flatMap((told) => (told.verb === "effect" && told.key === key ? [`${told.by} ${told.attempt}`] : []));
  const atRest = async (): Promise<void> => {
    let left: Awaited<ReturnType<NatsBus["counts"]>> = {};
    const looks = async (): Promise<boolean> => {
      left = await bus.counts();
      return Object.keys(left).length === 0;
    };
    await eventually("nothing is left to do", looks).catch((error: Error) => {
      const last = workers
        .told()
        .slice(-20)
        .map((told) => Object.values(told).join(" "));
      throw new Error([error.message, JSON.stringify(left), ...last].join("\n"), { cause: error });
    });
  };

  test("a worker killed between effect and acknowledgement: another runs the key once more, the attempt counts", async () => {
    await workers.start("one", nats, { hangsAtAttempt: 1 });
    await bus.publish([changed("a")]);
    await eventually("the effect", () => effects("a").length === 1);
    await workers.start("two", nats);
    await workers.kill("one");
    await eventually("the other's effect", () => effects("a").length === 2);
    assert.deepEqual(effects("a"), ["one 1", "two 2"]);
    await atRest();
    // The dead worker's delivery comes again after its time and finds its key done.
    await eventually("the delivery is acknowledged", async () => !(await bus.pending(keyOf("a"))).waiting);
    assert.equal(effects("a").length, 2);
  });

  test("a worker that was stopped does nothing more when it wakes after its lease", async () => {
    const goFile = join(workers.folder, "go");
    await workers.start("sleeper", nats, { goFile });
    await bus.publish([changed("a")]);
    const begun = (name: string) => (): boolean =>
      workers.told().some(({ verb, by }) => verb === "begin" && by === name);
    await eventually("the run has begun", begun("sleeper"));
    workers.freeze("sleeper");
    await workers.start("other", nats);
    await bus.publish([changed("a", { id: "meanwhile" })]);
    await eventually("the other's effect", () => effects("a").length === 1);
    writeFileSync(goFile, "");
    workers.thaw("sleeper");
    await eventually("the sleeper was refused", () => workers.told().some(({ verb }) => verb === "refused"));
    await atRest();
    assert.deepEqual([...new Set(effects("a").map((effect) => effect.split(" ")[0]))], ["other"]);
    assert.deepEqual(staleEffects(workers.told()), []);
    const taken = workers.told().filter(({ verb, by }) => verb === "begin" && by === "other");
    assert.ok(taken.some(({ causes }) => causes.includes("meanwhile")));
    assert.equal(taken[0]?.attempt, 2);
  });

  test("a run longer than lease and acknowledgement time is run once", async () => {
    await workers.start("slow", nats, { milliseconds: LEASE_MILLISECONDS * 2 + 1_500 });
    await workers.start("idle", nats);
    await bus.publish([changed("a")]);
    await eventually("the effect", () => effects("a").length > 0);
    await atRest();
    assert.equal(workers.told().filter(({ verb }) => verb === "begin").length, 1);
  });

  test("servers and workers are killed while all work: what was acknowledged is run, nothing stale has effect", async () => {
    const published = new Map<string, string>();
    let count = 0;
    let going = true;
    const publishing = Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (let i = 0; going; i++) {
          const key = `key-${lane}-${i % 12}`;
          const id = `${key}-${i}`;
          try {
            await bus.publish([changed(key, { id })]);
            published.set(key, id);
            count += 1;
          } catch {
            // It was not acknowledged, so the sender's own memory holds it: here it is sent no more.
          }
          await new Promise((resolve) => setTimeout(resolve, 3));
        }
      }),
    );
    let number = 0;
    const start = async (): Promise<void> => {
      number += 1;
      await workers.start(`w${number}`, nats, { milliseconds: 10, failsOneOf: 25 });
    };
    await start();
    await start();
    for (let round = 0; round < 4; round++) {
      const before = workers.told().length;
      await eventually("work", () => workers.told().length > before + 60);
      const [victim = ""] = workers.names;
      if (round !== 1) await workers.kill(victim);
      if (round > 0) {
        await server.kill();
        await server.start();
      }
      if (round !== 1) await start();
    }
    const before = workers.told().length;
    await eventually("work", () => workers.told().length > before + 60);
    going = false;
    await publishing;
    await atRest();
    const told = workers.told();
    assert.deepEqual(staleEffects(told), []);
    const heard = new Set(told.flatMap(({ verb, causes }) => (verb === "begin" ? causes : [])));
    assert.ok(count > 300, `only ${count} events`);
    assert.deepEqual(
      [...published.values()].filter((id) => !heard.has(id)),
      [],
    );
    assert.deepEqual(await bus.deadLetters.list(), []);
  });

  test("a worker that is told to end while the server is away ends by itself", {
    timeout: 120_000,
  }, async () => {
    await workers.start("one", nats);
    await bus.publish([changed("a")]);
    await eventually("the effect", () => effects("a").length === 1);
    await server.kill();
    await workers.end("one");
    assert.deepEqual(workers.names, []);
  });
});
