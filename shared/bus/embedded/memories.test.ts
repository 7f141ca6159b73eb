import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { changed, keyOf, route } from "../../../test/bus-contract/fixture.ts";
import { type EmbeddedBus, openEmbeddedBus } from "./bus.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-memories-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = manualClock();
let number = 0;
const newFile = (): string => join(folder, `${number++}.db`);
const open = (file: string): EmbeddedBus => openEmbeddedBus({ file, route, clock });

/** A memory whose own file takes all, unless it is full. */
class Notebook {
  readonly taken: unknown[] = [];
  readonly settled: unknown[] = [];
  isFull = false;
  #behind: unknown[] = [];

  takeUp(lines: readonly unknown[]): void {
    this.taken.push(...lines);
  }
  learn(line: unknown): void {
    this.#behind.push(line);
  }
  settle(): unknown {
    if (this.#behind.length === 0) return undefined;
    if (this.isFull) return { rest: this.#behind };
    this.settled.push(...this.#behind);
    this.#behind = [];
    return undefined;
  }
}

function joined(bus: EmbeddedBus, name = "cluster"): Notebook {
  const notebook = new Notebook();
  bus.remember(name, notebook);
  return notebook;
}

test("a line is durable with its events: cut anywhere, the journal tells of both or of neither", async () => {
  const file = newFile();
  const bus = open(file);
  const names = ["a", "b", "c"];
  const begin = readFileSync(`${file}.journal`).length;
  for (const name of names) await bus.publish([changed(name)], { of: "cluster", line: name });
  bus.abandon();
  const journal = readFileSync(`${file}.journal`);
  for (let cut = begin; cut <= journal.length; cut += cut + 16 > journal.length ? 1 : 16) {
    const copy = newFile();
    copyFileSync(file, copy);
    writeFileSync(`${copy}.journal`, journal.subarray(0, cut));
    const after = open(copy);
    const { taken } = joined(after);
    const waiting = await Promise.all(
      names.map(async (name) => ((await after.pending(keyOf(name))).waiting ? [name] : [])),
    );
    assert.deepEqual(taken, waiting.flat(), `cut at ${cut}`);
    if (cut === journal.length) assert.deepEqual(taken, names);
    after.abandon();
  }
});

test("a line outlives the journal that told it, until its memory has taken it up", async () => {
  const file = newFile();
  const first = open(file);
  await first.publish([changed("a")], { of: "cluster", line: 1 });
  await first.publish([changed("b")], { of: "another", line: 2 });
  first.abandon();
  // Nobody joins: the journal begins anew.
  open(file).abandon();
  const second = open(file);
  await second.publish([changed("c")], { of: "cluster", line: 3 });
  second.abandon();
  const third = open(file);
  assert.deepEqual(joined(third).taken, [1, 3]);
  assert.deepEqual(joined(third).taken, [], "handed over once");
  third.abandon();
  const fourth = open(file);
  assert.deepEqual(joined(fourth).taken, []);
  assert.deepEqual(joined(fourth, "another").taken, [2]);
  await fourth.close();
});

/** So much that the journal begins anew once the file follows. */
async function fill(bus: EmbeddedBus): Promise<void> {
  const line = "x".repeat(100_000);
  for (let at = 0; at < 12; at++) await bus.publish([changed("a")], { of: "filling", line });
  await clock.advance(200);
}

test("before the journal begins anew a memory writes what it knows", async () => {
  const file = newFile();
  const bus = open(file);
  const notebook = joined(bus);
  notebook.learn("one");
  await bus.publish([changed("a")], { of: "cluster", line: "one" });
  assert.deepEqual(notebook.settled, []);
  await fill(bus);
  assert.deepEqual(notebook.settled, ["one"]);
  bus.abandon();
  const after = open(file);
  assert.deepEqual(joined(after).taken, []);
  await after.close();
});

test("what the memory's file refuses then is handed to it again", async () => {
  const file = newFile();
  const bus = open(file);
  const notebook = joined(bus);
  notebook.isFull = true;
  notebook.learn("kept");
  await fill(bus);
  bus.abandon();
  const after = open(file);
  assert.deepEqual(joined(after).taken, [{ rest: ["kept"] }]);
  await after.close();
});

test("where an event is refused its line waits for what is told in its place", async () => {
  const file = newFile();
  const bus = open(file);
  const bad = { ...changed("a"), data: {} };
  const { refused } = await bus.publish([bad], { of: "cluster", line: "early" });
  assert.equal(refused.length, 1);
  await bus.publish([], { of: "cluster", line: "late" });
  bus.abandon();
  const after = open(file);
  assert.deepEqual(joined(after).taken, ["late"]);
  await after.close();
});
