import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { MAXIMUM_CAUSES } from "../../shared/bus/item.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { done, route } from "./fixture.ts";

const KILLS = 6;
const folder = mkdtempSync(join(tmpdir(), "bus-kill-"));
const journal = join(folder, "journal");
const file = join(folder, "bus.db");
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const lines = (): readonly string[] =>
  existsSync(journal) ? readFileSync(journal, "utf8").split("\n").slice(0, -1) : [];

/** Waits for something that another process brings about. */
async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, `${what} did not happen: ${lines().slice(-5).join("; ")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function start(number: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "crash-child.ts"), file, journal, String(number)],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  children.add(child);
  await until(`child ${number} is ready`, () => lines().includes(`ready ${number}`));
  return child;
}

async function kill(child: ChildProcess, number: number): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  children.delete(child);
  appendFileSync(journal, `killed ${number}\n`);
}

test("a process that is killed at random loses nothing, undoes nothing that ended and never runs a key twice at once", async () => {
  for (let number = 0; number < KILLS; number++) {
    const child = await start(number);
    const seen = lines().length;
    await until("work", () => lines().length > seen + 20 + 37 * number);
    await kill(child, number);
  }

  const running = new Map<string, string>();
  for (const line of lines()) {
    const [verb = "", key = "", by = ""] = line.split(" ");
    if (verb === "begin") {
      assert.equal(running.get(key), undefined, `${key} is begun by ${by} while another runs it`);
      running.set(key, by);
    } else if (verb === "end") running.delete(key);
    else if (verb === "killed")
      for (const [held, holder] of running) if (holder === key) running.delete(held);
  }

  // The dead are known to be dead: what they held comes back at once and not after the lease of 30 s.
  const bus = openEmbeddedBus({ file, route, clock: systemClock });
  const began = Date.now();
  bus.consume({ parallel: 8 }, async ({ item }) => done(item));
  let left = await bus.counts();
  while (Object.keys(left).length > 0) {
    assert.ok(Date.now() - began < 15_000, JSON.stringify(left));
    await new Promise((resolve) => setTimeout(resolve, 10));
    left = await bus.counts();
  }
  const { runs } = await bus.history.after(0, { limit: 1_000_000 });
  // The dead told what they ended; their history may lack the last moments.
  const ended = lines().flatMap((line) => {
    const [verb, key = "", , , ...causes] = line.split(" ");
    return verb === "end" ? [{ key, causes }] : [];
  });
  for (const { key, causes } of runs) ended.push({ key, causes: causes.map(({ eventId }) => eventId) });
  const seen = new Set(ended.flatMap(({ causes }) => causes));
  const published = lines().flatMap((line) =>
    line.startsWith("published ") ? [line.slice("published ".length)] : [],
  );
  assert.ok(published.length > 100, `only ${published.length} events were published`);
  // While a key was in a dead process's hands more may have come than an item keeps; it then says so by being full.
  const keyOf = (id: string): string => {
    const [, loop, part] = id.split("-").map(Number);
    return `key-${((loop ?? 0) + (part ?? 0)) % 7}`;
  };
  const full = new Set(ended.filter(({ causes }) => causes.length === MAXIMUM_CAUSES).map(({ key }) => key));
  assert.deepEqual(
    published.filter((id) => !seen.has(id) && !full.has(keyOf(id))),
    [],
  );
  // And every last word was heard.
  const last = new Map(published.map((id) => [keyOf(id), id]));
  assert.deepEqual(
    [...last.values()].filter((id) => !seen.has(id)),
    [],
  );
  await bus.close();
});
