import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { changed, done, failed, Hands, item, keyOf, route } from "../../../test/bus-contract/fixture.ts";
import { BusError } from "../errors.ts";
import { type EmbeddedBus, openEmbeddedBus } from "./bus.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-bytes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Each byte is cut and changed beside the journal itself; here a bus is opened each time. */
const STRIDE = 53;
const KEYS = ["a", "b", "c", "d"];
const waited = {
  cluster: "local",
  group: "bench.example.org",
  kind: "Widget",
  namespace: "elsewhere",
  name: "db",
};

/** All that counts of each key, in words. */
async function told(bus: EmbeddedBus): Promise<string> {
  const keys = [];
  for (const key of KEYS) {
    const { waiting, running, attempts, deadlines, waits } = await bus.pending(keyOf(key));
    keys.push({ key, waiting, running, attempts, deadlines, waits: waits.length });
  }
  return JSON.stringify([keys, (await bus.deadLetters.list()).map(({ key }) => key)]);
}

/** The files of a bus as they lie there now. */
function copied(from: string, to: string): string {
  mkdirSync(to);
  for (const end of ["", "-wal", ".journal"])
    if (existsSync(from + end)) copyFileSync(from + end, join(to, `bus.db${end}`));
  return join(to, "bus.db");
}

test("killed with the journal cut anywhere, the bus is what it was after one of its changes, and no earlier one than the file tells", async () => {
  const clock = manualClock();
  const file = join(folder, "story.db");
  const bus = openEmbeddedBus({ file, route, clock, random: () => 0 });
  const states: { readonly at: number; readonly state: string }[] = [];
  const seen = async (): Promise<void> => {
    await clock.settle();
    states.push({ at: readFileSync(`${file}.journal`).length, state: await told(bus) });
  };
  const hands = new Hands(bus, clock, { parallel: 1 });
  await seen();
  const end = async (how: "done" | "failed" | "dead" | "waits"): Promise<void> => {
    const one = await hands.only();
    const { item: of } = one;
    await one.end(
      how === "done"
        ? done(of, { deadlines: { later: new Date(clock.now() + 60_000).toISOString() } })
        : how === "waits"
          ? done(of, { waits: [waited], enqueue: [item("d")] })
          : failed(of, { retryable: how === "failed" }),
    );
    await seen();
  };
  await bus.publish([changed("a")]);
  await seen();
  await bus.publish([changed("b"), changed("c")]);
  await seen();
  await bus.publish([{ ...changed("x"), type: "no.such.type" }]);
  await seen();
  for (const how of ["done", "waits", "dead", "failed"] as const) await end(how);
  const whole = copied(file, join(folder, "whole"));
  bus.abandon();
  const { length } = readFileSync(`${whole}.journal`);
  assert.ok(length > 1_000, `${length} bytes`);

  const possible = new Map<string, number>();
  for (const [index, { state }] of states.entries()) if (!possible.has(state)) possible.set(state, index);
  const reached = new Set<string>();
  // The story is one of states that differ, so each cut shows how far it goes.
  const cuts = new Set(states.flatMap(({ at }) => [at - 1, at, at + 1]));
  for (let cut = 0; cut <= length; cut += STRIDE) cuts.add(cut);
  for (const cut of cuts) {
    if (cut > length) continue;
    const at = copied(whole, join(folder, `cut-${cut}`));
    writeFileSync(`${at}.journal`, readFileSync(`${whole}.journal`).subarray(0, cut));
    const next = openEmbeddedBus({ file: at, route, clock, random: () => 0 });
    const state = await told(next);
    const least = states.findLastIndex((each) => each.at <= cut);
    const found = possible.get(state) ?? assert.fail(`cut at ${cut}: ${state}`);
    assert.ok(found === Math.max(0, least), `cut at ${cut} it is at ${found}, and was at ${least}`);
    reached.add(state);
    await next.close();
    rmSync(join(folder, `cut-${cut}`), { recursive: true });
  }
  for (const state of possible.keys()) assert.ok(reached.has(state), state);
});

test("another byte in the journal is named, and nothing is run on what it says", async () => {
  const clock = manualClock();
  const file = join(folder, "flip.db");
  const bus = openEmbeddedBus({ file, route, clock });
  await bus.publish([changed("a")]);
  const whole = copied(file, join(folder, "flip"));
  bus.abandon();
  const bytes = readFileSync(`${whole}.journal`);
  for (let at = 0; at < bytes.length; at += 7) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    writeFileSync(`${whole}.journal`, flipped);
    assert.throws(
      () => openEmbeddedBus({ file: whole, route, clock }),
      (thrown) =>
        thrown instanceof BusError &&
        thrown.code === "BUS_CORRUPT" &&
        /damaged at byte \d+/.test(thrown.message),
      `byte ${at}`,
    );
  }
  writeFileSync(`${whole}.journal`, bytes);
  const next = openEmbeddedBus({ file: whole, route, clock });
  assert.equal((await next.pending(keyOf("a"))).waiting, true);
  await next.close();
});

test("a journal of another bus is left behind, and the keys of this one stand", async () => {
  const clock = manualClock();
  const [one, other] = [join(folder, "one.db"), join(folder, "other.db")];
  for (const [file, key] of [
    [one, "a"],
    [other, "b"],
  ] as const) {
    const bus = openEmbeddedBus({ file, route, clock });
    await bus.publish([changed(key)]);
    if (file === one) await bus.close();
    else bus.abandon();
  }
  copyFileSync(`${other}.journal`, `${one}.journal`);
  const bus = openEmbeddedBus({ file: one, route, clock });
  assert.equal((await bus.pending(keyOf("a"))).waiting, true);
  assert.equal((await bus.pending(keyOf("b"))).waiting, false);
  await bus.close();
});
