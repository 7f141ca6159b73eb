import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import type { StateStore } from "../../shared/bus/sqs/index.ts";
import { KEYS, publishAll, UNCONFIRMED, World } from "./crash-world.ts";
import { type Emulated, openOn, startEmulated } from "./fauxqs.ts";
import { route } from "./fixture.ts";
import { LEASE, RETRY, RUNS } from "./stage.ts";

let emulated: Emulated | undefined;
beforeAll(async () => {
  emulated = await startEmulated();
});
afterAll(() => emulated?.stop());

/** A store whose every call passes a place to die, before and after. */
function mortalStore(store: StateStore, pass: () => void): StateStore {
  const through = async <T>(call: () => Promise<T>): Promise<T> => {
    pass();
    const answer = await call();
    pass();
    return answer;
  };
  return {
    load: (key) => through(() => store.load(key)),
    save: (key, record, version, expiresAt) => through(() => store.save(key, record, version, expiresAt)),
    keysOf: (name) => through(() => store.keysOf(name)),
    addWaits: (key, objects) => through(() => store.addWaits(key, objects)),
    removeWaits: (key, objects) => through(() => store.removeWaits(key, objects)),
    followed: () => through(() => store.followed()),
    waitingFor: (object) => through(() => store.waitingFor(object)),
    recordRun: (run, at, expiresAt) => through(() => store.recordRun(run, at, expiresAt)),
    recordEvents: (events, expiresAt) => through(() => store.recordEvents(events, expiresAt)),
    toldSince: (subject, since) => through(() => store.toldSince(subject, since)),
    history: store.history,
  };
}

/** Lives once through the whole story, dying at the n-th place; true where it survived. */
async function live(n: number): Promise<boolean> {
  const on = emulated ?? assert.fail("the emulator was not started");
  const clock = on.emulation.clock();
  const queues = await on.queues();
  const store = new MemoryStateStore(clock);
  const history = { maximumAgeMilliseconds: 86_400_000, maximumRuns: RUNS };
  const request = { clock, route, retry: RETRY, leaseMilliseconds: LEASE, history };
  const world = new World();
  const unconfirmed = new Set(UNCONFIRMED);
  let places = 0;
  let dead = false;
  const pass = (): void => {
    places += 1;
    if (places >= n) dead = true;
    if (dead) throw new Error("killed");
  };
  const mortal = on.newClient();
  mortal.middlewareStack.add(
    (next) => async (args) => {
      pass();
      const answer = await next(args);
      pass();
      return answer;
    },
    { step: "initialize" },
  );
  const first = openOn({ ...on, client: mortal }, request, { queues, store: mortalStore(store, pass) });
  try {
    first.consume({ parallel: 2 }, world.work(clock));
    await publishAll(first, world, unconfirmed, clock);
    await clock.advance(10_000);
  } catch (thrown) {
    assert.ok(dead, String(thrown));
  } finally {
    first.abandon();
    await clock.settle();
    mortal.destroy();
  }
  world.running.clear();

  const second = openOn(on, request, { queues, store });
  second.consume({ parallel: 2 }, world.work(clock));
  await publishAll(second, world, unconfirmed, clock);
  // What the dead one held comes back with its lease, and then takes its time.
  await clock.advance(2 * LEASE);
  const told = `after dying at place ${n}`;
  assert.deepEqual([...world.done].sort(), KEYS, told);
  assert.deepEqual(await second.counts(), {}, told);
  assert.deepEqual(await second.deadLetters.list(), [], told);
  await second.close();
  return !dead;
}

/** Before and after each request is a place to die: every `stride`-th is tried. */
export function dyingLosesNothing(stride: number): void {
  test("a death before or after a request to SQS or the table loses nothing", async () => {
    let survived = false;
    let n = 1;
    for (; n < 5_000 && !survived; n += stride) survived = await live(n);
    assert.ok(survived && n > 100, `only ${n} places to die`);
  });
}
