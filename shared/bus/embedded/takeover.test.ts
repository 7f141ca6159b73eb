import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { changed, done, Hands, item, keyOf, route } from "../../../test/bus-contract/fixture.ts";
import { BusError } from "../errors.ts";
import { freshKey, type KeyState, take } from "../key-state.ts";
import { defaultRetry } from "../retry.ts";
import { waitingOf } from "../waiting.ts";
import { openEmbeddedBus } from "./bus.ts";
import { newIdentity } from "./identity.ts";
import { steps } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-takeover-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = manualClock();

/** The format that several processes could share. */
const SHARED_FORMAT = 4;
const waited = {
  cluster: "local",
  group: "bench.example.org",
  kind: "Widget",
  namespace: "elsewhere",
  name: "db",
};

interface OldKey {
  readonly name: string;
  readonly state: KeyState;
  readonly timers?: Readonly<Record<string, number>>;
}

/** A file as the version before left it. */
function oldFile(
  file: string,
  keys: readonly OldKey[],
  instances: readonly (readonly [object, number])[] = [],
): void {
  const db = new DatabaseSync(file);
  for (const step of steps.slice(0, SHARED_FORMAT)) db.exec(step);
  db.exec(`PRAGMA application_id = ${0x52766c65}; PRAGMA user_version = ${SHARED_FORMAT}`);
  const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  for (const [index, { name, state, timers = {} }] of keys.entries()) {
    const stands = state.waiting === undefined ? 0 : state.waiting.notBefore > clock.now() ? 2 : 1;
    const { lastInsertRowid: id } = db
      .prepare(
        "INSERT INTO keys (function, key, state, lane, seq, due, enqueued_at, attempts, owner, token, waiting, running, dead, waits, deadlines, net) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        "widget",
        name,
        stands,
        index + 1,
        state.waiting?.notBefore ?? 0,
        state.waiting?.enqueuedAt ?? null,
        state.attempts,
        state.running?.owner ?? null,
        state.running?.token ?? null,
        text(state.waiting),
        text(state.running),
        text(state.dead),
        state.waits.length === 0 ? null : text(state.waits),
        Object.keys(state.deadlines).length === 0 ? null : text(state.deadlines),
        state.net ?? null,
      );
    for (const [timer, due] of Object.entries(timers))
      db.prepare("INSERT INTO timers (key_id, sort, name, due) VALUES (?, ?, ?, ?)").run(
        id,
        timer === "net" ? "net" : "deadline",
        timer,
        due,
      );
  }
  for (const [identity, until] of instances)
    db.prepare("INSERT INTO instances (identity, until) VALUES (?, ?)").run(JSON.stringify(identity), until);
  db.close();
}

const waiting = (name: string, notBefore = 0) => waitingOf({ ...item(name), notBefore }, clock.now());

test("a file of before is taken over with what waits, runs, is due, waited for and dead", async () => {
  const file = join(folder, "before.db");
  const later = clock.now() + 60_000;
  const due = new Date(later).toISOString();
  const dead = {
    error: { code: "BOOM", message: "it broke" },
    attempts: 10,
    causes: ["e"],
    at: due,
    subjects: {},
  };
  const key = { function: "widget", key: "runs" };
  oldFile(file, [
    { name: "waits", state: { ...freshKey, waiting: waiting("waits") } },
    { name: "late", state: { ...freshKey, attempts: 1, waiting: waiting("late", clock.now() + 30_000) } },
    {
      name: "runs",
      state: take(
        { ...freshKey, waiting: waiting("runs") },
        key,
        { owner: 7, token: 9, now: clock.now() },
        defaultRetry,
      ),
    },
    { name: "due", state: { ...freshKey, deadlines: { later: due } }, timers: { later } },
    { name: "net", state: { ...freshKey, net: later }, timers: { net: later } },
    { name: "asks", state: { ...freshKey, waits: [waited] } },
    { name: "dead", state: { ...freshKey, attempts: 10, dead } },
  ]);
  const bus = openEmbeddedBus({ file, route, clock });
  const hands = new Hands(bus, clock, { parallel: 10 });
  assert.deepEqual((await hands.running()).map((one) => one.item.key).sort(), ["runs", "waits"]);
  assert.equal((await hands.running()).find((one) => one.item.key === "runs")?.item.attempt, 2);
  assert.deepEqual(
    (await bus.deadLetters.list()).map((letter) => [letter.key, letter.attempts]),
    [["dead", 10]],
  );
  await bus.publish([changed("db", { namespace: "elsewhere" })]);
  assert.ok((await hands.running()).some((one) => one.item.key === "asks"));
  await hands.drain();
  await clock.advance(30_000);
  assert.deepEqual(
    (await hands.running()).map((one) => one.item.key),
    ["late"],
  );
  await hands.drain();
  await clock.advance(30_000);
  assert.deepEqual((await hands.running()).map((one) => one.item.key).sort(), ["due", "net"]);
  for (const one of await hands.running()) await one.end(done(one.item));
  assert.equal(await bus.deadLetters.redrive(keyOf("dead"), "alice"), true);
  assert.equal((await hands.only()).item.key, "dead");
  await bus.close();
  const old = new DatabaseSync(file, { readOnly: true });
  assert.ok(
    Number(old.prepare("PRAGMA user_version").get()?.user_version) > SHARED_FORMAT,
    "older versions refuse it",
  );
  old.close();
});

test("a file on which a process of an older version still works is left to it, by name", () => {
  const file = join(folder, "shared.db");
  const self = newIdentity();
  oldFile(file, [], [[self, Date.now() + 60_000]]);
  assert.throws(
    () => openEmbeddedBus({ file, route, clock }),
    (thrown) =>
      thrown instanceof BusError &&
      thrown.code === "BUS_HELD" &&
      thrown.message.includes(`process ${self.pid}`),
  );
  const db = new DatabaseSync(file);
  assert.equal(db.prepare("PRAGMA user_version").get()?.user_version, SHARED_FORMAT, "it is as it was");
  db.exec("UPDATE instances SET until = 0");
  db.close();
  openEmbeddedBus({ file, route, clock }).abandon();
});

test("a second opening is refused by the name of the holder, until that one is closed or dies", async () => {
  const file = join(folder, "held.db");
  const first = openEmbeddedBus({ file, route, clock });
  const second = (): unknown => openEmbeddedBus({ file, route, clock });
  assert.throws(
    second,
    (thrown) =>
      thrown instanceof BusError &&
      thrown.code === "BUS_HELD" &&
      thrown.message.includes(`process ${process.pid} on `),
  );
  await first.publish([changed("a")]);
  first.abandon();
  const next = openEmbeddedBus({ file, route, clock });
  assert.equal((await next.pending(keyOf("a"))).waiting, true);
  await next.close();
});
